/// The folder of everything that browsers get: pages, styles, texts, `openapi.yaml`. It is read once, at the start.
import Base

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

package struct PublicFolder: Sendable {
    private let path: String

    package init(_ path: String) { self.path = path }

    func path(of name: String) -> String { "\(self.path)/\(name)" }

    func bytes(of name: String) throws(PublicFolderError) -> [UInt8] {
        do throws(FileError) {
            return try SystemFile.contents(of: self.path(of: name))
        } catch {
            throw self.failure(name, error.message)
        }
    }

    func text(of name: String) throws(PublicFolderError) -> String {
        guard let text = String(validating: try self.bytes(of: name), as: UTF8.self) else {
            throw self.failure(name, "is not UTF-8")
        }
        return text
    }

    /// Returns the sorted names of the files in a subfolder, without those that begin with a dot.
    func names(in name: String) throws(PublicFolderError) -> [String] {
        guard let folder = opendir(self.path(of: name)) else {
            throw self.failure(name, String(cString: strerror(errno)))
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    func failure(_ name: String, _ message: String) -> PublicFolderError {
        PublicFolderError(path: self.path(of: name), message: message)
    }
}

/// Why the server cannot start with this folder.
package struct PublicFolderError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file that is missing or wrong.
    package let path: String
    package let message: String

    package var description: String { "\(self.path): \(self.message)" }
}
