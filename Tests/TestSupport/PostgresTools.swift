import Foundation
import Glibc

/// PostgreSQL's programs, run as a user other than root, because its server refuses root.
package struct PostgresTools: Sendable {
    /// The database user. The machine has no user of this name.
    package static let user = "switchback"

    package init() throws {
        guard Self.isInstalled else { throw MissingTool(description: "not installed: postgresql") }
    }

    package static var isInstalled: Bool { Self.path("postgres") != nil }

    /// Returns the path in the newest installed version.
    static func path(_ program: String) -> String? {
        let top = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: top)) ?? []
        let folders = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(top)/\($0)/bin" }
        return (folders + ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]).map { "\($0)/\(program)" }
            .first { access($0, X_OK) == 0 }
    }

    /// Creates a folder that this user owns.
    package static func makeFolder(_ name: String) throws -> String {
        let folder = NSTemporaryDirectory() + "switchback-\(name)-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try UnixUser.unprivileged?.own(folder)
        return folder
    }

    /// Starts a program.
    package func start(_ program: String, _ arguments: [String], in folder: String, output: String? = nil) throws
        -> ChildProcess
    {
        guard let path = Self.path(program) else { throw MissingTool(description: "not installed: \(program)") }
        return try UnixUser.start(path, arguments, in: folder, output: output)
    }

    /// Runs a program until it ends.
    package func run(_ program: String, _ arguments: [String], in folder: String, log: String) throws {
        guard try self.start(program, arguments, in: folder, output: log).end() else {
            let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw MissingTool(description: "\(program) failed: \(said.suffix(2000))")
        }
    }
}
