import Foundation

/// A folder for one test, deleted after it.
final class Scratch: Sendable {
    let path: String

    var database: String { self.path + "/switchback.db" }

    init() throws {
        self.path = FileManager.default.temporaryDirectory.path + "/store-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: self.path) }

    /// Returns the permission bits of a file in the folder.
    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: self.path + "/" + name)[.posixPermissions] as? Int
    }

    func contents(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: self.path + "/" + name)) }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: self.path + "/" + name))
    }
}
