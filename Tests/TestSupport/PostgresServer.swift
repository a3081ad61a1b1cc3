import CPQ
import Foundation
import Synchronization

/// PostgreSQL on loopback with its own files: one server for all tests of a process, and one database for each test.
package final class PostgresServer: Sendable {
    /// Whether its tests run: without PostgreSQL `make check` fails, and `swift test` skips them.
    package static var isWanted: Bool { PostgresTools.isInstalled || TestTier.isWhole }

    package static let password = "s3cret-of-the-tests"

    package let port: UInt16
    private let folder: String
    private let process: Mutex<ChildProcess?>
    private let tools: PostgresTools

    private static let started = Result { try PostgresServer() }

    /// The server of this process, which ends with it.
    package static func shared() throws -> PostgresServer { try Self.started.get() }

    /// Starts a server of the test's own, which the test may kill.
    package init() throws {
        self.tools = try PostgresTools()
        self.port = try FreePort.find()
        self.folder = try PostgresTools.makeFolder("postgresql")
        self.process = Mutex(nil)
        try Self.password.write(toFile: "\(self.folder)/password", atomically: true, encoding: .utf8)
        try UnixUser.unprivileged?.own("\(self.folder)/password")
        let made = try self.tools.start(
            "initdb",
            [
                "-D", "\(self.folder)/data", "-U", "postgres", "--no-sync", "--no-locale", "-E", "UTF8",
                "--auth-local=trust", "--auth-host=scram-sha-256", "--pwfile", "\(self.folder)/password",
            ], in: self.folder)
        guard made.end() else { throw MissingTool(description: "initdb fails") }
        try self.start()
        if Self.living.withLock({ $0.append(self.folder) == () && $0.count == 1 }) {
            atexit { PostgresServer.endAll() }
        }
    }

    /// Returns a URL for a database on this server.
    package func url(_ database: String, user: String = "postgres", password: String = PostgresServer.password)
        -> String
    {
        "postgresql://\(user):\(password)@127.0.0.1:\(self.port)/\(database)"
    }

    /// Creates an empty database, or a copy of another one, and returns its name.
    package func makeDatabase(named name: String? = nil, like template: String = "template0") throws -> String {
        let name = name ?? "test_\(UInt64.random(in: 0 ... .max))"
        try self.run("CREATE DATABASE \(name) TEMPLATE \(template)")
        return name
    }

    /// Blocks. Runs statements as superuser and returns the first value of the last one.
    @discardableResult
    package func run(_ sql: String, in database: String = "postgres", user: String = "postgres") throws -> String? {
        let connection = PQconnectdb("host=\(self.folder) port=\(self.port) user=\(user) dbname=\(database)")
        defer { PQfinish(connection) }
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
            throw MissingTool(description: PQerrorMessage(connection).map { String(cString: $0) } ?? "no connection")
        }
        guard PQntuples(result) > 0, PQgetisnull(result, 0, 0) == 0 else { return nil }
        return PQgetvalue(result, 0, 0).map { String(cString: $0) }
    }

    /// Returns the text of `pg_dump` for a database, with bytes in hexadecimal.
    package func dump(_ database: String) throws -> Data {
        let file = "\(self.folder)/dump-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try self.tools.run(
            "pg_dump", ["-f", file, self.url(database)], in: self.folder, log: "\(self.folder)/dump.log")
        return try Data(contentsOf: URL(filePath: file))
    }

    /// Returns the path of a backup of the schema `switchback`, as the documentation tells operators to make it.
    package func backUp(_ database: String, _ options: [String]) throws -> String {
        let file = "\(self.folder)/backup-\(UInt64.random(in: 0 ... .max))"
        let arguments = ["--format=custom", "--schema=switchback"] + options + ["--file=\(file)", self.url(database)]
        try self.tools.run("pg_dump", arguments, in: self.folder, log: "\(self.folder)/dump.log")
        return file
    }

    /// Restores a backup into an empty database.
    package func restore(_ file: String, into database: String) throws {
        try self.tools.run(
            "pg_restore", ["--exit-on-error", "--dbname=\(self.url(database))", file], in: self.folder,
            log: "\(self.folder)/restore.log")
    }

    /// Starts the server, and returns when it accepts connections.
    package func start() throws {
        let settings = [
            "listen_addresses=127.0.0.1", "port=\(self.port)", "unix_socket_directories=\(self.folder)",
            "max_connections=200", "shared_buffers=32MB", "log_min_messages=fatal",
            // Tests kill the server but not the machine, so written data stays in the system's memory.
            "fsync=off",
        ]
        let arguments = ["-D", "\(self.folder)/data"] + settings.flatMap { ["-c", $0] }
        let process = try self.tools.start("postgres", arguments, in: self.folder)
        self.process.withLock { $0 = process }
        for _ in 0..<1000 where process.isRunning {
            if Self.answers("host=\(self.folder) port=\(self.port)") { return }
            usleep(20_000)
        }
        throw MissingTool(description: "PostgreSQL does not start")
    }

    /// Makes the server use this certificate for TLS from now on.
    package func useTLS(certificate: String, key: String) throws {
        for (name, source) in [("server.pem", certificate), ("server.key", key)] {
            let copy = "\(self.folder)/\(name)"
            try? FileManager.default.removeItem(atPath: copy)
            try FileManager.default.copyItem(atPath: source, toPath: copy)
            try UnixUser.unprivileged?.own(copy)
            chmod(copy, 0o600)
        }
        try self.run("ALTER SYSTEM SET ssl_cert_file = '\(self.folder)/server.pem'")
        try self.run("ALTER SYSTEM SET ssl_key_file = '\(self.folder)/server.key'")
        try self.run("ALTER SYSTEM SET ssl = on")
        try self.run("SELECT pg_reload_conf()")
    }

    /// The postmaster. Nil when the server does not run.
    package var processID: pid_t? { self.process.withLock { $0?.id } }

    /// Ends the postmaster and its children at once, as a power cut would.
    package func kill() {
        guard let process = self.process.withLock({ $0.take() }) else { return }
        // SIGQUIT is PostgreSQL's immediate shutdown, which also ends the children.
        process.send(SIGQUIT)
        _ = process.end()
    }

    /// Ends the server and removes its files.
    package func stop() {
        self.kill()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    /// Whether a PostgreSQL server accepts connections at the address.
    static func answers(_ address: String) -> Bool { PQping(address) == PQPING_OK }

    /// Whether a statement gets a response, also through a proxy.
    static func answersStatements(_ address: String) -> Bool {
        let connection = PQconnectdb(address)
        defer { PQfinish(connection) }
        let result = PQexec(connection, "SELECT 1")
        defer { PQclear(result) }
        return PQresultStatus(result) == PGRES_TUPLES_OK
    }

    // MARK: - Parts

    /// The folders of all servers that this process has started.
    private static let living = Mutex<[String]>([])

    /// The first line of `postmaster.pid` is the postmaster's process id.
    private static func endAll() {
        for folder in Self.living.withLock({ $0 }) {
            let file = try? String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
            if let id = file?.split(separator: "\n").first.flatMap({ pid_t($0) }) {
                Glibc.kill(id, SIGQUIT)
                for _ in 0..<100 where access("\(folder)/data/postmaster.pid", F_OK) == 0 { usleep(20_000) }
            }
            try? FileManager.default.removeItem(atPath: folder)
        }
    }
}
