/// PgBouncer on loopback in front of one PostgreSQL server, in transaction mode: a connection is lent for a transaction.
import Foundation
import Glibc

package final class PgBouncer: Sendable {
    private let port: UInt16
    private let folder: String
    private let process: ChildProcess

    /// Returns when it hands on.
    package init(before node: PostgresNode) throws {
        guard let path = MissingTool.path("pgbouncer") else {
            throw MissingTool(description: "pgbouncer is not installed")
        }
        self.port = try FreePort.find()
        self.folder = try PostgresTools.makeFolder("pgbouncer")
        try Self.write(node, port: self.port, in: self.folder)
        self.process = try PostgresTools().start(
            path, ["\(self.folder)/pgbouncer.ini"], in: self.folder, output: "\(self.folder)/log")
        do {
            try self.waitUntilItHandsOn()
        } catch {
            self.remove()
            throw error
        }
    }

    package var url: String {
        "postgresql://\(PostgresTools.user)@127.0.0.1:\(self.port)/\(PostgresTools.user)?connect_timeout=2"
    }

    /// What an operator does after a fail-over: another server, and a reload.
    package func point(to node: PostgresNode) throws {
        try Self.write(node, port: self.port, in: self.folder)
        self.process.send(SIGHUP)
        try self.waitUntilItHandsOn()
    }

    package func remove() {
        self.process.terminate()
        _ = self.process.end()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    private func waitUntilItHandsOn() throws {
        let tools = try PostgresTools()
        for _ in 0..<200 where self.process.isRunning {
            let words = ["-X", "-q", "-c", "SELECT 1", self.url]
            if (try? tools.run("psql", words, in: self.folder, log: "\(self.folder)/psql.log")) != nil { return }
            usleep(50_000)
        }
        let log = (try? String(contentsOfFile: "\(self.folder)/log", encoding: .utf8)) ?? ""
        throw PostgresNode.Trouble(description: "PgBouncer does not hand on: \(log.suffix(2000))")
    }

    private static func write(_ node: PostgresNode, port: UInt16, in folder: String) throws {
        let text = """
            [databases]
            \(PostgresTools.user) = host=127.0.0.1 port=\(node.port) user=\(PostgresTools.user)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            max_client_conn = 1000
            default_pool_size = 20
            ; One that is down is asked again after a second, not after fifteen.
            server_login_retry = 1
            """
        try text.write(toFile: "\(folder)/pgbouncer.ini", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(folder)/pgbouncer.ini")
    }
}
