import Base
import Foundation
import GRDB
import BenchmarkSupport

/// The writes of a login without the login: rows of the same size and durability, with as many in a transaction as
/// there are concurrent logins.
enum RawSQLite {
    /// Returns how often a finished login was written, and the size of the longest row in bytes.
    static func writes(in file: String) throws -> (count: Int, bytes: Int) {
        var configuration = Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(path: file, configuration: configuration)
        return try database.read { database in
            let count = try Int.fetchOne(database, sql: "SELECT max(revision) FROM login") ?? 0
            let bytes = try Int.fetchOne(database, sql: "SELECT max(length(bytes)) FROM login") ?? 0
            return (count, bytes)
        }
    }

    /// Returns the rows written per second.
    static func rate(rowBytes: Int, writesPerLogin: Int, atOnce width: Int, logins: Int) throws -> Double {
        let folder = NSTemporaryDirectory() + "switchback-raw-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let database = try DatabasePool(path: "\(folder)/raw.db")
        let bytes = Data(RandomBytes.make(rowBytes))
        return try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
            try database.execute(
                sql: "CREATE TABLE login (id BLOB PRIMARY KEY, revision INTEGER, bytes BLOB) WITHOUT ROWID")
            let started = CPUTime.wallSeconds
            for _ in 0..<(logins / width) {
                let ids = (0..<width).map { _ in Data(RandomBytes.make(16)) }
                for revision in 1...writesPerLogin {
                    try database.inTransaction(.immediate) {
                        for id in ids { try Self.write(id, revision, bytes, in: database) }
                        return .commit
                    }
                }
            }
            return Double(logins / width * width * writesPerLogin) / (CPUTime.wallSeconds - started)
        }
    }

    private static func write(_ id: Data, _ revision: Int, _ bytes: Data, in database: Database) throws {
        if revision == 1 {
            try database.cachedStatement(sql: "INSERT INTO login VALUES (?, 1, ?)").execute(arguments: [id, bytes])
        } else {
            try database.cachedStatement(sql: "UPDATE login SET revision = ?, bytes = ? WHERE id = ? AND revision = ?")
                .execute(arguments: [revision, bytes, id, revision - 1])
        }
    }
}
