/// PostgreSQL's programs, run by a user that is not root: its server refuses root.
import Foundation
import Glibc

package struct PostgresTools: Sendable {
    /// Of a database and of nobody on this machine.
    package static let user = "switchback"

    private let folder: String

    /// The newest that is installed.
    package init() throws {
        let top = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: top)) ?? []).compactMap { Int($0) }
            .sorted()
        guard let newest = versions.last(where: { access("\(top)/\($0)/bin/postgres", X_OK) == 0 }) else {
            throw MissingTool(description: "postgresql is not installed")
        }
        self.folder = "\(top)/\(newest)/bin"
    }

    package static var isInstalled: Bool { (try? Self()) != nil }

    /// A folder that this user owns.
    package static func makeFolder(_ name: String) throws -> String {
        let folder = NSTemporaryDirectory() + "switchback-\(name)-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try UnixUser.unprivileged?.own(folder)
        return folder
    }

    /// Starts one of them, or another program when it is given by its path.
    package func start(_ program: String, _ arguments: [String], in folder: String, output: String? = nil) throws
        -> ChildProcess
    {
        let path = program.hasPrefix("/") ? program : "\(self.folder)/\(program)"
        return try UnixUser.start(path, arguments, in: folder, output: output)
    }

    /// Runs one of them to its end.
    package func run(_ program: String, _ arguments: [String], in folder: String, log: String) throws {
        guard try self.start(program, arguments, in: folder, output: log).end() else {
            let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw MissingTool(description: "\(program) failed: \(said.suffix(2000))")
        }
    }
}
