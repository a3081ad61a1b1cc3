/// PgBouncer on loopback in front of a PostgreSQL server, in transaction mode: a connection is lent for a transaction.
import Foundation
import Glibc
import Synchronization

package final class PgBouncer: Sendable {
    /// Whom it hands on to, as which user.
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
    /// More would give each client a connection of its own.
    private let connections: Int
    private let ignored: String
    private let folder: String
    private let process = Mutex<ChildProcess?>(nil)

    /// `ignored`: the parameters at the start of a connection that it takes and forgets; it refuses all others.
    package convenience init(to server: PostgresServer, ignoring ignored: String = "extra_float_digits") throws {
        let upstream = Upstream(port: server.port, user: "postgres", password: PostgresServer.password)
        try self.init(upstream, connections: 2, ignoring: ignored)
    }

    package convenience init(to node: PostgresNode) throws {
        try self.init(Upstream(port: node.port, user: PostgresTools.user), connections: 8, ignoring: "options")
    }

    /// Returns when it hands on.
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

    /// What an operator does after a fail-over: another server, and a reload.
    package func point(to node: PostgresNode) throws {
        try self.write(Upstream(port: node.port, user: PostgresTools.user))
        self.process.withLock { $0?.send(SIGHUP) }
        try self.waitUntilItHandsOn()
    }

    /// Also after a test that failed.
    deinit { self.stop() }

    package func stop() {
        guard let process = self.process.withLock({ $0.take() }) else { return }
        process.terminate()
        _ = process.end()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    /// It says yes by itself; only an answer from behind it shows that it hands on.
    private func waitUntilItHandsOn() throws {
        let address = "host=127.0.0.1 port=\(self.port) dbname=template1 user=\(self.user) connect_timeout=2"
        for _ in 0..<500 where self.process.withLock({ $0?.isRunning == true }) {
            if PostgresServer.answersStatements(address) { return }
            usleep(20_000)
        }
        let log = (try? String(contentsOfFile: "\(self.folder)/log", encoding: .utf8)) ?? ""
        throw MissingTool(description: "PgBouncer does not hand on: \(log.suffix(2000))")
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
