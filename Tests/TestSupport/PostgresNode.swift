import Foundation
import Glibc
import Synchronization

/// One PostgreSQL server on loopback with its own cluster folder, which can be killed, restarted and promoted.
package final class PostgresNode: Sendable {
    package let port: UInt16
    /// The folder of the cluster and its programs' logs.
    private let folder: String
    private let tools: PostgresTools
    private let process = Mutex<ChildProcess?>(nil)

    package struct Trouble: Error, CustomStringConvertible {
        package let description: String
    }

    private init() throws {
        self.tools = try PostgresTools()
        self.port = try FreePort.find()
        self.folder = try PostgresTools.makeFolder("postgresql")
    }

    /// Starts a server with an empty database.
    package static func fresh() throws -> PostgresNode {
        let node = try PostgresNode()
        // The data need not survive a crash of the machine, so nothing waits for the disk here.
        try node.run(
            "initdb",
            [
                "-D", node.cluster, "-U", PostgresTools.user, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
                "--no-sync",
            ])
        try node.start()
        try node.query("CREATE DATABASE \(PostgresTools.user)", in: "postgres")
        return node
    }

    /// Starts a streaming standby with this application name.
    package static func standby(of primary: PostgresNode, name: String) throws -> PostgresNode {
        let node = try PostgresNode()
        let from = "host=127.0.0.1 port=\(primary.port) user=\(PostgresTools.user) application_name=\(name)"
        // The slot keeps what the standby missed while it was down.
        try node.run(
            "pg_basebackup",
            ["-D", node.cluster, "-d", from, "-R", "-X", "stream", "-c", "fast", "-C", "-S", name, "--no-sync"])
        try node.start()
        return node
    }

    package var url: String { "postgresql://\(PostgresTools.user)@\(self.address)/\(PostgresTools.user)" }
    package var address: String { "127.0.0.1:\(self.port)" }

    /// Returns when the server responds. Children of a killed server keep its shared memory for a short time.
    package func start() throws {
        let deadline = Patience.end
        while ContinuousClock.now < deadline {
            let process = try self.tools.start(
                "postgres",
                [
                    "-D", self.cluster, "-p", "\(self.port)", "-c", "listen_addresses=127.0.0.1",
                    "-c", "unix_socket_directories=", "-c", "max_connections=200", "-c", "wal_level=replica",
                    "-c", "hot_standby=on",
                ], in: self.folder, output: self.log)
            while process.isRunning, ContinuousClock.now < deadline {
                if (try? self.query("SELECT 1", in: "postgres")) != nil {
                    self.process.withLock { $0 = process }
                    return
                }
                usleep(20_000)
            }
            // It has ended, or it does not respond.
            process.terminate()
            _ = process.end()
            usleep(50_000)
        }
        throw Trouble(description: "it does not start: \(self.lastWords)")
    }

    /// Ends the server with SIGKILL.
    package func kill() { self.end(SIGKILL) }

    /// Does a fast shutdown (SIGINT).
    package func stop() { self.end(SIGINT) }

    /// Stops the server and removes its files.
    package func remove() {
        self.end(SIGQUIT)
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    /// Promotes the standby to primary, and returns when it accepts writes.
    package func promote() throws {
        try self.run("pg_ctl", ["promote", "-D", self.cluster, "-w", "-t", "60"])
        guard try self.query("SELECT pg_is_in_recovery()") == "f" else {
            throw Trouble(description: "it is still a standby")
        }
    }

    /// Returns psql's output, without headers and alignment.
    @discardableResult
    package func query(_ statement: String, in database: String = PostgresTools.user) throws -> String {
        let file = "\(self.folder)/query-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try self.run(
            "psql",
            [
                "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-o", file, "-c", statement,
                "host=127.0.0.1 port=\(self.port) user=\(PostgresTools.user) dbname=\(database) connect_timeout=5",
            ])
        let text = try String(contentsOfFile: file, encoding: .utf8)
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private var cluster: String { "\(self.folder)/cluster" }
    private var log: String { "\(self.folder)/log" }
    private var lastWords: String {
        String(((try? String(contentsOfFile: self.log, encoding: .utf8)) ?? "").suffix(2000))
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        try self.tools.run(program, arguments, in: self.folder, log: "\(self.folder)/tools.log")
    }

    private func end(_ signal: Int32) {
        let process = self.process.withLock { $0.take() }
        guard let process else { return }
        process.send(signal)
        _ = process.end()
    }
}
