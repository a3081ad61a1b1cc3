import Base
import GRDB
import Sessions

/// Reads the rows of sessions.
enum SQLiteSessionRows {
    private static let columns = "id, revision, due, person, key_id, bytes"

    static func load(_ id: SessionID, from database: Database) throws -> SealedSession? {
        try Self.rows("WHERE id = ?", [SQLiteBytes(id.bytes)], from: database).first
    }

    /// One query for each person, because a user has one for each key of the configuration.
    static func ofPersons(
        _ persons: Set<[UInt8]>, after last: SessionID?, limit: Int, from database: Database
    ) throws -> [SealedSession] {
        let rows = try persons.flatMap { person in
            try Self.rows(
                "WHERE person = ? AND id > ? ORDER BY id LIMIT ?",
                [SQLiteBytes(person), SQLiteBytes(last?.bytes ?? []), max(0, limit)], from: database)
        }
        return Array(rows.sorted { $0.id < $1.id }.prefix(max(0, limit)))
    }

    static func due(at now: Timestamp, limit: Int, from database: Database) throws -> [SealedSession] {
        try Self.rows("WHERE due <= ? ORDER BY due LIMIT ?", [now.milliseconds, max(0, limit)], from: database)
    }

    static func sealed(by keyID: [UInt8], limit: Int, from database: Database) throws -> [SealedSession] {
        try Self.rows(
            "WHERE key_id = ? AND person <> x'' LIMIT ?", [SQLiteBytes(keyID), max(0, limit)], from: database)
    }

    static func counts(from database: Database) throws -> [(keyID: [UInt8], count: Int)] {
        let statement = try database.cachedStatement(sql: "SELECT key_id, count(*) FROM sessions GROUP BY key_id")
        return try Row.fetchAll(statement).map { row in
            guard let count = Int.fromDatabaseValue(row[1]) else { throw StorageError.corrupt }
            return (keyID: try SQLiteBytes.read(row, 0), count: count)
        }
    }

    private static func rows(
        _ condition: String, _ arguments: StatementArguments, from database: Database
    ) throws -> [SealedSession] {
        let statement = try database.cachedStatement(sql: "SELECT \(Self.columns) FROM sessions \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).map(Self.session)
    }

    private static func session(_ row: Row) throws -> SealedSession {
        guard let id = SessionID(try SQLiteBytes.read(row, 0)), let revision = Int64.fromDatabaseValue(row[1]),
            let due = Int64.fromDatabaseValue(row[2])
        else { throw StorageError.corrupt }
        return SealedSession(
            id: id, revision: revision, due: Timestamp(milliseconds: due), person: try SQLiteBytes.read(row, 3),
            keyID: try SQLiteBytes.read(row, 4), bytes: try SQLiteBytes.read(row, 5))
    }
}
