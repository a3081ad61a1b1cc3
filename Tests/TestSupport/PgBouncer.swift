/// PgBouncer in transaction mode, on loopback, in front of a PostgreSQL of the tests.
import Foundation
import Synchronization

package final class PgBouncer: Sendable {
    /// Whether its tests run, as with `PostgresServer`.
    package static var isWanted: Bool {
        PostgresServer.isWanted && (MissingTool(of: "pgbouncer") == nil || TestTier.isWhole)
    }

    package let port: UInt16
    private let folder: String
    private let process: Mutex<ChildProcess?>

    /// `ignored`: the parameters at the start of a connection that it takes and forgets; it refuses all others.
    package init(to server: PostgresServer, ignoring ignored: String = "extra_float_digits") throws {
        self.port = try FreePort.find()
        self.folder = NSTemporaryDirectory() + "pgbouncer-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        let settings = """
            [databases]
            * = host=127.0.0.1 port=\(server.port) user=postgres password=\(PostgresServer.password)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(self.port)
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = 2
            ignore_startup_parameters = \(ignored)
            logfile = \(self.folder)/log
            """
        try settings.write(toFile: "\(self.folder)/pgbouncer.ini", atomically: true, encoding: .utf8)
        let arguments = ["\(self.folder)/pgbouncer.ini"]
        if let owner = UnixUser.unprivileged {
            try owner.own(self.folder, "\(self.folder)/pgbouncer.ini")
            guard let path = MissingTool.path("pgbouncer") else { throw MissingTool(description: "no pgbouncer") }
            self.process = Mutex(try owner.child(path, arguments, in: self.folder))
        } else {
            self.process = Mutex(try ChildProcess(tool: "pgbouncer", arguments, in: self.folder))
        }
        guard self.answers() else { throw MissingTool(description: "pgbouncer does not start") }
    }

    package func url(_ database: String) -> String { "postgresql://postgres@127.0.0.1:\(self.port)/\(database)" }

    /// Also after a test that failed.
    deinit { self.stop() }

    package func stop() {
        guard let process = self.process.withLock({ $0.take() }) else { return }
        process.terminate()
        _ = process.end()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    private func answers() -> Bool {
        for _ in 0..<500 where self.process.withLock({ $0?.isRunning == true }) {
            if PostgresServer.answers("host=127.0.0.1 port=\(self.port) dbname=postgres user=postgres") { return true }
            usleep(10_000)
        }
        return false
    }
}
