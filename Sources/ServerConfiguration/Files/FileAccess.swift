import Base

/// Reads the files of a configuration: those of the system, or a table in memory.
package struct FileAccess: Sendable {
    package let read: @Sendable (_ path: String) throws(FileError) -> [UInt8]
    package let isFolder: @Sendable (_ path: String) -> Bool
    /// Whether there is a file or folder; it need not be readable.
    package var exists: @Sendable (_ path: String) -> Bool
    /// Returns the same path from the root; the path itself where there is no current folder.
    package var absolute: @Sendable (_ path: String) -> String = { $0 }
    /// Whether this is a container.
    package var isContainer = false
    /// Returns nil for a file that does not exist or is not on the system.
    package var permissions: @Sendable (_ path: String) -> FilePermissions? = { _ in nil }
    /// Returns when a file was last written. Nil for one that does not exist or is not on the system.
    package var modified: @Sendable (_ path: String) -> Timestamp? = { _ in nil }

    package static let system: FileAccess = {
        var access = FileAccess(
            read: { path throws(FileError) in try SystemFile.contents(of: path) }, isFolder: { SystemFile.isFolder($0) }
        )
        access.exists = { SystemFile.exists($0) }
        access.isContainer = MountTable.isContainer
        access.absolute = { SystemFile.absolute($0) }
        access.permissions = { FilePermissions(ofFile: $0) }
        access.modified = { SystemFile.modificationTime(of: $0) }
        return access
    }()

    package init(
        read: @escaping @Sendable (_ path: String) throws(FileError) -> [UInt8],
        isFolder: @escaping @Sendable (_ path: String) -> Bool
    ) {
        self.read = read
        self.isFolder = isFolder
        self.exists = { path in (try? read(path)) != nil }
    }

    /// Returns the bytes of a text file. Notepad and PowerShell write a mark before the text, which would become a part of
    /// the secret or the key.
    package func bytes(_ path: String) throws(FileError) -> [UInt8] {
        ByteOrderMark.removed(from: try self.read(path))
    }

    /// Returns the text of a file that contains one value, without the final line end that editors and `echo` add.
    func text(_ path: String) throws(FileError) -> String {
        let bytes = try self.bytes(path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileError(ByteOrderMark.complaint(about: bytes))
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Reads only these files. The sandbox keeps its keys this way, and tests their files.
    package init(_ files: [String: [UInt8]], isFolder: @escaping @Sendable (_ path: String) -> Bool = { _ in true }) {
        self.init(
            read: { path throws(FileError) in
                guard let bytes = files[path] else { throw FileError("No such file or directory") }
                return bytes
            }, isFolder: isFolder)
    }
}
