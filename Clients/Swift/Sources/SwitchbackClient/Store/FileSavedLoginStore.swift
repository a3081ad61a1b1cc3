import Foundation

/// Stores saved logins as JSON files, one for each, in a folder that only this app can read.
///
/// On iOS the files are readable after the first unlock of the device, because the app may return to a login while the
/// device is locked. They are excluded from backups, because a login is useless on another device.
public actor FileSavedLoginStore: SavedLoginStore {
    private let folder: URL
    private let report: @Sendable (_ file: URL, _ error: any Error) -> Void

    /// Stores the files in `folder`, which is created when it is first needed. Use a folder of its own below
    /// Application Support.
    ///
    /// `all()` calls `report` for each file that it cannot read. The file stays: a newer version of the app may have
    /// written it.
    public init(
        folder: URL, report: @escaping @Sendable (_ file: URL, _ error: any Error) -> Void = { _, _ in }
    ) {
        self.folder = folder
        self.report = report
    }

    /// Writes a new file and moves it into place, so that a kill leaves the old file or the new one.
    public func save(_ login: SavedLogin) async throws {
        try self.makeFolder()
        #if canImport(Darwin) && !os(macOS)
        let options: Data.WritingOptions = [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
        let options: Data.WritingOptions = [.atomic]
        #endif
        let file = self.file(of: login.id)
        try JSONEncoder().encode(login).write(to: file, options: options)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    /// Removes the login's file. It is no error when there is none.
    public func remove(_ id: SavedLogin.ID) async throws {
        let file = self.file(of: id)
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try FileManager.default.removeItem(at: file)
    }

    /// Reads every file of the folder. Throws when no file can be opened, as before the first unlock.
    public func all() async throws -> [SavedLogin] {
        guard FileManager.default.fileExists(atPath: self.folder.path) else { return [] }
        let files = try FileManager.default.contentsOfDirectory(atPath: self.folder.path).sorted()
            .filter { $0.hasSuffix(".json") }.map { self.folder.appendingPathComponent($0) }
        let contents = files.map { file in (file, Result { try Data(contentsOf: file) }) }
        if let (_, first) = contents.first, contents.allSatisfy({ (try? $1.get()) == nil }) { _ = try first.get() }
        return contents.compactMap { file, bytes in
            do {
                return try JSONDecoder().decode(SavedLogin.self, from: bytes.get())
            } catch {
                self.report(file, error)
                return nil
            }
        }
    }

    private func file(of id: SavedLogin.ID) -> URL { self.folder.appendingPathComponent("\(id.uuidString).json") }

    private func makeFolder() throws {
        guard !FileManager.default.fileExists(atPath: self.folder.path) else { return }
        try FileManager.default.createDirectory(
            at: self.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        #if canImport(Darwin)
        var folder = self.folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try folder.setResourceValues(values)
        #endif
    }
}
