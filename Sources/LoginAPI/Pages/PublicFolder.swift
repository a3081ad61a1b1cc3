import Base
import BuiltInFiles

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Everything that browsers get: pages, styles, texts, `openapi.yaml`. The files are built into the program, and those
/// of the operator's folder replace them one by one. That folder is read once, at the start.
package struct PublicFolder: Sendable {
    /// Where an operator may also add files. What they may be called is checked by those who read them.
    private static let open = ["assets", "strings"]

    /// The operator's folder. Nil if there is none.
    private let overlay: String?
    /// The files in it.
    private let overlaid: Set<String>

    package init(_ overlay: String? = nil) throws(OperatorError) {
        self.overlay = overlay
        self.overlaid = Set(try overlay.map { path throws(OperatorError) in try Self.files(in: path) } ?? [])
    }

    func bytes(of name: String) throws(OperatorError) -> [UInt8] {
        guard let overlay, self.overlaid.contains(name) else {
            guard let text = BuiltInFiles.all[name] else { throw self.failure(name, "is missing") }
            return Array(text.utf8)
        }
        do throws(FileError) {
            return try SystemFile.contents(of: "\(overlay)/\(name)")
        } catch {
            throw self.failure(name, error.message)
        }
    }

    func text(of name: String) throws(OperatorError) -> String {
        let bytes = try self.bytes(of: name)
        guard let text = String(validating: ByteOrderMark.removed(from: bytes), as: UTF8.self) else {
            throw self.failure(name, ByteOrderMark.complaint(about: bytes))
        }
        return text
    }

    /// Returns the text of the operator's file. Nil if there is none.
    func overlaidText(of name: String) throws(OperatorError) -> String? {
        self.overlaid.contains(name) ? try self.text(of: name) : nil
    }

    /// Returns the sorted names of the files in a subfolder.
    func names(in folder: String) -> [String] {
        self.overlaid.union(BuiltInFiles.all.keys).filter { $0.hasPrefix("\(folder)/") }
            .map { String($0.dropFirst(folder.count + 1)) }.sorted()
    }

    /// The sorted tags of the languages of the pages, offered or not.
    package var languages: [String] {
        self.names(in: "strings").filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
    }

    /// What is wrong with a file, after the place where an operator finds it.
    func failure(_ name: String, line: Int? = nil, _ message: String) -> OperatorError {
        OperatorError(at: self.place(of: name), line: line, message)
    }

    /// Where an operator finds a file: its path, or the name of a built-in one.
    func place(of name: String) -> String {
        let isBuiltIn = !self.overlaid.contains(name) && BuiltInFiles.all[name] != nil
        return isBuiltIn ? name : self.overlay.map { "\($0)/\(name)" } ?? name
    }

    // MARK: - The operator's folder

    /// Returns the files below `path`. Refuses those that would replace nothing.
    private static func files(in path: String) throws(OperatorError) -> [String] {
        let folders = Set(BuiltInFiles.all.keys.compactMap(Self.folder))
        var files: [String] = []
        for name in try Self.entries(of: path) {
            if folders.contains(name), SystemFile.isFolder("\(path)/\(name)") {
                for file in try Self.entries(of: "\(path)/\(name)").map({ "\(name)/\($0)" }) {
                    if !Self.open.contains(name), BuiltInFiles.all[file] == nil {
                        throw Self.unknown(file, in: path, of: BuiltInFiles.all.keys.sorted())
                    }
                    files.append(file)
                }
            } else if BuiltInFiles.all[name] != nil {
                files.append(name)
            } else {
                let names = BuiltInFiles.all.keys.filter { Self.folder(of: $0) == nil }
                throw Self.unknown(name, in: path, of: folders.union(names).sorted())
            }
        }
        return files
    }

    private static func folder(of file: String) -> String? {
        file.firstIndex(of: "/").map { String(file[..<$0]) }
    }

    private static func unknown(_ name: String, in path: String, of names: [String]) -> OperatorError {
        OperatorError(
            at: "\(path)/\(name)",
            "is not a file of the pages\(SpellingSuggestion.suggestion(for: name, in: names))")
    }

    /// Returns the sorted names in a folder, without those that begin with a dot.
    private static func entries(of path: String) throws(OperatorError) -> [String] {
        guard let folder = opendir(path) else {
            throw OperatorError(at: path, String(cString: strerror(errno)))
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
}

extension OperatorError {
    /// Why the server cannot start with a file of the pages.
    init(at place: String, line: Int? = nil, _ message: String) {
        self.init("\(place)\(line.map { ":\($0)" } ?? ""): \(message)")
    }
}
