import Foundation
import Served
import BenchmarkSupport
import TestSupport

/// The writes of a login without the login, by `pgbench`: rows of the same size, one transaction per write.
enum RawPostgreSQL {
    /// Returns how often a finished login was written, and the size of the longest row in bytes.
    static func writes(in database: String) throws -> (count: Int, bytes: Int) {
        let server = try PostgresServer.shared()
        func number(_ what: String) throws -> Int {
            Int(try server.run("SELECT \(what) FROM switchback.login", in: database) ?? "") ?? 0
        }
        return (try number("max(revision)"), try number("max(length(bytes))"))
    }

    /// Stores this many copies of a pending login.
    static func copyRows(_ count: Int, in database: String) throws {
        try PostgresServer.shared().run(
            """
            INSERT INTO switchback.login (hour, id, revision, due, is_open, is_over, bytes)
            SELECT l.hour, uuid_send(gen_random_uuid()), l.revision, l.due, l.is_open, l.is_over, l.bytes
            FROM (SELECT * FROM switchback.login WHERE is_open ORDER BY due DESC LIMIT 1) l, generate_series(1, \(count));
            ANALYZE switchback.login;
            """, in: database)
    }

    /// Returns the rows written per second with this many connections.
    static func rate(rowBytes: Int, writesPerLogin: Int, connections: Int, logins: Int) throws -> Double {
        let server = try PostgresServer.shared()
        let database = try server.makeDatabase()
        try server.run(
            "CREATE TABLE raw (id bytea PRIMARY KEY, revision bigint NOT NULL, bytes bytea NOT NULL)", in: database)
        let bytes = String(repeating: "ab", count: rowBytes)
        var script = "\\set k random(1, 9000000000000000000)\n"
        script += "INSERT INTO raw VALUES (int8send(:k), 1, '\\\\x\(bytes)');\n"
        for revision in 1..<writesPerLogin {
            script += "UPDATE raw SET revision = \(revision + 1), bytes = '\\\\x\(bytes)' "
            script += "WHERE id = int8send(:k) AND revision = \(revision);\n"
        }
        let file = NSTemporaryDirectory() + "switchback-raw-\(UInt32.random(in: 0 ... .max)).sql"
        try script.write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let each = logins / connections
        let output = try Command.output(
            "pgbench -n -M extended -c \(connections) -j 2 -t \(each) -f \(file) '\(server.url(database))' 2>/dev/null")
        guard let line = output.split(separator: "\n").last(where: { $0.hasPrefix("tps = ") }),
            let rate = Double(line.dropFirst(6).prefix { $0 != " " })
        else { throw LoginClient.Failure(description: "pgbench prints no rate") }
        return rate * Double(writesPerLogin)
    }
}
