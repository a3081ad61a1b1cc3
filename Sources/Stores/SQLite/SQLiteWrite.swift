/// One change of one row. Each has its own result, although many share a transaction.
import GRDB
import Logins

enum SQLiteWrite: Sendable {
    case insert(SealedLogin)
    case replace(SealedLogin, revision: Int64)
    case remove(LoginID, revision: Int64)
    case session(SQLiteSessionWrite)
    /// Inserts and deletes a row, because only a real write shows that a login could be stored.
    case probe

    init(_ change: SweepChange) {
        switch change {
        case .replace(let row, let revision): self = .replace(row, revision: revision)
        case .remove(let id, let revision): self = .remove(id, revision: revision)
        }
    }

    struct Effect {
        /// False if there was no such row, or if it existed already.
        let isDone: Bool
        /// By how much the number of open rows has grown.
        let opened: Int

        static let none = Effect(isDone: false, opened: 0)
    }

    func run(in database: Database) throws -> Effect {
        switch self {
        case .insert(let row):
            try Self.insert(row, in: database)
            guard database.changesCount == 1 else { return .none }
            return Effect(isDone: true, opened: row.isOpen ? 1 : 0)
        case .replace(let row, let revision):
            guard let wasOpen = try Self.isOpen(row.id, revision, in: database) else { return .none }
            try database.cachedStatement(
                sql: "UPDATE login SET revision = ?, due = ?, is_open = ?, bytes = ? WHERE id = ?"
            ).execute(arguments: [
                row.revision, row.due.milliseconds, row.isOpen, SQLiteBytes(row.bytes), SQLiteBytes(row.id.bytes),
            ])
            return Effect(isDone: true, opened: (row.isOpen ? 1 : 0) - (wasOpen ? 1 : 0))
        case .remove(let id, let revision):
            guard let wasOpen = try Self.isOpen(id, revision, in: database) else { return .none }
            try Self.delete(id.bytes, in: database)
            return Effect(isDone: true, opened: wasOpen ? -1 : 0)
        case .session(let write):
            return Effect(isDone: try write.run(in: database), opened: 0)
        case .probe:
            // No login has an empty id. Other connections never see this row, because it is gone before the commit.
            try database.cachedStatement(sql: Self.insertion).execute(
                arguments: [SQLiteBytes([]), 0, Int64.max, false, SQLiteBytes([])])
            try Self.delete([], in: database)
            return Effect(isDone: true, opened: 0)
        }
    }

    private static let insertion =
        "INSERT INTO login (id, revision, due, is_open, bytes) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"

    private static func insert(_ row: SealedLogin, in database: Database) throws {
        try database.cachedStatement(sql: Self.insertion).execute(
            arguments: [
                SQLiteBytes(row.id.bytes), row.revision, row.due.milliseconds, row.isOpen, SQLiteBytes(row.bytes),
            ])
    }

    private static func delete(_ id: [UInt8], in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM login WHERE id = ?").execute(arguments: [SQLiteBytes(id)])
    }

    /// Returns nil if there is no row with that revision. There is no other writer between this query and the change.
    private static func isOpen(_ id: LoginID, _ revision: Int64, in database: Database) throws -> Bool? {
        let statement = try database.cachedStatement(sql: "SELECT is_open FROM login WHERE id = ? AND revision = ?")
        return try Bool.fetchOne(statement, arguments: [SQLiteBytes(id.bytes), revision])
    }
}
