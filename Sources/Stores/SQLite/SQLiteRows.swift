/// Reads rows of the database.
import Base
import GRDB
import Logins

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    private static func login(_ row: Row) throws -> SealedLogin {
        guard let id = LoginID(try Self.bytes(row, 0)), let revision = Int64.fromDatabaseValue(row[1]),
            let due = Int64.fromDatabaseValue(row[2]), let isOpen = Bool.fromDatabaseValue(row[3])
        else { throw StorageError.corrupt }
        return SealedLogin(
            id: id, revision: revision, due: Timestamp(milliseconds: due), isOpen: isOpen,
            bytes: try Self.bytes(row, 4))
    }

    private static func bytes(_ row: Row, _ index: Int) throws -> [UInt8] {
        guard let bytes = SQLiteBytes.fromDatabaseValue(row[index]) else { throw StorageError.corrupt }
        return bytes.array
    }
}

/// A byte array as an SQLite value.
struct SQLiteBytes: DatabaseValueConvertible {
    let array: [UInt8]

    init(_ array: [UInt8]) { self.array = array }

    var databaseValue: DatabaseValue { Data(self.array).databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> SQLiteBytes? {
        switch value.storage {
        case .blob(let data): SQLiteBytes(Array(data))
        case .null, .int64, .double, .string: nil
        }
    }
}
