import Base
import GRDB
import Logins

/// Reads the rows of logins.
enum SQLiteRows {
    private static let columns = "id, revision, due, is_open, bytes"

    static func load(_ id: LoginID, from database: Database) throws -> SealedLogin? {
        let statement = try database.cachedStatement(sql: "SELECT \(Self.columns) FROM login WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [SQLiteBytes(id.bytes)]).map(Self.login)
    }

    static func due(at now: Timestamp, limit: Int, from database: Database) throws -> [SealedLogin] {
        let statement = try database.cachedStatement(
            sql: "SELECT \(Self.columns) FROM login WHERE due <= ? ORDER BY due LIMIT ?")
        var rows: [SealedLogin] = []
        let cursor = try Row.fetchCursor(statement, arguments: [now.milliseconds, max(0, limit)])
        while let row = try cursor.next() { rows.append(try Self.login(row)) }
        return rows
    }

    static func open(from database: Database) throws -> [SealedLogin] {
        var rows: [SealedLogin] = []
        let cursor = try Row.fetchCursor(database, sql: "SELECT \(Self.columns) FROM login WHERE is_open")
        while let row = try cursor.next() { rows.append(try Self.login(row)) }
        return rows
    }

    private static func login(_ row: Row) throws -> SealedLogin {
        guard let id = LoginID(try SQLiteBytes.read(row, 0)), let revision = Int64.fromDatabaseValue(row[1]),
            let due = Int64.fromDatabaseValue(row[2]), let isOpen = Bool.fromDatabaseValue(row[3])
        else { throw StorageError.corrupt }
        return SealedLogin(
            id: id, revision: revision, due: Timestamp(milliseconds: due), isOpen: isOpen,
            bytes: try SQLiteBytes.read(row, 4))
    }
}
