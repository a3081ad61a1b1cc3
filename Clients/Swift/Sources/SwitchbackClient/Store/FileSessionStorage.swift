import Foundation

/// Stores a session as a JSON file that only this app can read. On iOS, prefer `KeychainSessionStorage`.
public actor FileSessionStorage: SessionStorage {
    private let file: URL

    /// Stores the session in `file`. Its folder is created when it is first needed.
    public init(file: URL) { self.file = file }

    /// Reads the file. Nil when there is none.
    public func load() async throws -> SavedSession? {
        guard FileManager.default.fileExists(atPath: self.file.path) else { return nil }
        return try JSONDecoder().decode(SavedSession.self, from: Data(contentsOf: self.file))
    }

    /// Writes a new file and moves it into place, so that a kill leaves the old file or the new one.
    public func save(_ session: SavedSession) async throws {
        let folder = self.file.deletingLastPathComponent()
        if !FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        #if canImport(Darwin) && !os(macOS)
        let options: Data.WritingOptions = [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
        let options: Data.WritingOptions = [.atomic]
        #endif
        try JSONEncoder().encode(session).write(to: self.file, options: options)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: self.file.path)
        #if canImport(Darwin)
        var file = self.file
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try file.setResourceValues(values)
        #endif
    }
}
