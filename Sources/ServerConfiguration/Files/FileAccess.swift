/// How configuration reads files: the system's, or a table of them in memory.
import Base

package struct FileAccess: Sendable {
    package let read: @Sendable (_ path: String) throws(FileError) -> [UInt8]
    package let isFolder: @Sendable (_ path: String) -> Bool
    /// Nil for what is no file of the system's, and for what is not there.
    package var permissions: @Sendable (_ path: String) -> FilePermissions? = { _ in nil }

    package static let system: FileAccess = {
        var access = FileAccess(
            read: { path throws(FileError) in try SystemFile.contents(of: path) }, isFolder: { SystemFile.isFolder($0) }
        )
        access.permissions = { FilePermissions(ofFile: $0) }
        return access
    }()

    package init(
        read: @escaping @Sendable (_ path: String) throws(FileError) -> [UInt8],
        isFolder: @escaping @Sendable (_ path: String) -> Bool
    ) {
        self.read = read
        self.isFolder = isFolder
    }

    /// The text of a file that holds one value. Editors and `echo` end it with a line end, which belongs to no value.
    func text(_ path: String) throws(FileError) -> String {
        guard let text = String(validating: try self.read(path), as: UTF8.self) else { throw FileError("is not UTF-8") }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Only these files. The sandbox keeps its keys so, and tests their files.
    package init(_ files: [String: [UInt8]], isFolder: @escaping @Sendable (_ path: String) -> Bool = { _ in true }) {
        self.init(
            read: { path throws(FileError) in
                guard let bytes = files[path] else { throw FileError("No such file or directory") }
                return bytes
            }, isFolder: isFolder)
    }
}
