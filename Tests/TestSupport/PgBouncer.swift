import Foundation
import Glibc
import Synchronization

/// PgBouncer on loopback in front of PostgreSQL, in transaction mode: each transaction borrows a connection.
package final class PgBouncer: Sendable {
    /// The server behind, and the user to connect as.
    private struct Upstream {
        let port: UInt16
        let user: String
        var password: String?
    }

    /// Whether its tests run, as with `PostgresServer`.
    package static var isWanted: Bool {
        PostgresServer.isWanted && (MissingTool(of: "pgbouncer") == nil || TestTier.isWhole)
    }

    package let port: UInt16
    private let user: String
    /// A larger pool would give each client its own connection.
    private let connections: Int
    private let ignored: String
    private let folder: String
    private let process = Mutex<ChildProcess?>(nil)

    /// `ignored` are startup parameters that PgBouncer accepts and ignores; it refuses all others.
    package convenience init(to server: PostgresServer, ignoring ignored: String = "extra_float_digits") throws {
        let upstream = Upstream(port: server.port, user: "postgres", password: PostgresServer.password)
        try self.init(upstream, connections: 2, ignoring: ignored)
    }

    package convenience init(to node: PostgresNode) throws {
        try self.init(Upstream(port: node.port, user: PostgresTools.user), connections: 8, ignoring: "options")
    }

    /// Returns when a statement gets through to the server.
    private init(_ upstream: Upstream, connections: Int, ignoring ignored: String) throws {
        guard let path = MissingTool.path("pgbouncer") else { throw MissingTool(description: "no pgbouncer") }
        self.port = try FreePort.find()
        self.user = upstream.user
        self.connections = connections
        self.ignored = ignored
        self.folder = try PostgresTools.makeFolder("pgbouncer")
        try self.write(upstream)
        let process = try UnixUser.start(
            path, ["\(self.folder)/pgbouncer.ini"], in: self.folder, output: "\(self.folder)/log")
        self.process.withLock { $0 = process }
        try self.waitUntilItHandsOn()
    }

    package func url(_ database: String = PostgresTools.user) -> String {
        "postgresql://\(self.user)@127.0.0.1:\(self.port)/\(database)?connect_timeout=2"
    }

    /// Acts as an operator does after a failover: sets another server, and reloads.
    package func point(to node: PostgresNode) throws {
        try self.write(Upstream(port: node.port, user: PostgresTools.user))
        self.process.withLock { $0?.send(SIGHUP) }
        try self.waitUntilItHandsOn()
    }

    /// Also stops PgBouncer after a failed test.
    deinit { self.stop() }

    package func stop() {
        guard let process = self.process.withLock({ $0.take() }) else { return }
        process.terminate()
        _ = process.end()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    /// PgBouncer accepts connections itself, so only a response from the server behind shows that it works.
    private func waitUntilItHandsOn() throws {
        let address = "host=127.0.0.1 port=\(self.port) dbname=template1 user=\(self.user) connect_timeout=2"
        for _ in 0..<500 where self.process.withLock({ $0?.isRunning == true }) {
            if PostgresServer.answersStatements(address) { return }
            usleep(20_000)
        }
        let log = (try? String(contentsOfFile: "\(self.folder)/log", encoding: .utf8)) ?? ""
        throw MissingTool(description: "PgBouncer does not reach its server: \(log.suffix(2000))")
    }

    private func write(_ upstream: Upstream) throws {
        let password = upstream.password.map { " password=\($0)" } ?? ""
        let text = """
            [databases]
            * = host=127.0.0.1 port=\(upstream.port) user=\(upstream.user)\(password)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(self.port)
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            max_client_conn = 1000
            default_pool_size = \(self.connections)
            ignore_startup_parameters = \(self.ignored)
            ; One that is down is asked again after a second, not after fifteen.
            server_login_retry = 1
            """
        try text.write(toFile: "\(self.folder)/pgbouncer.ini", atomically: true, encoding: .utf8)
        try UnixUser.unprivileged?.own("\(self.folder)/pgbouncer.ini")
    }
}
