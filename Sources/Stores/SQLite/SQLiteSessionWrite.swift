import GRDB
import Sessions

/// One change of one session. It is a part of the writer's next transaction.
enum SQLiteSessionWrite: Sendable {
    case insert(SealedSession)
    case replace(SealedSession, revision: Int64)
    case remove(SessionID, revision: Int64)

    /// Returns false if there is no such row, or if it exists already.
    func run(in database: Database) throws -> Bool {
        switch self {
        case .insert(let row):
            return try SQLiteWrite.change(
                """
                INSERT INTO sessions (id, revision, due, person, key_id, bytes) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO NOTHING
                """,
                [
                    SQLiteBytes(row.id.bytes), row.revision, row.due.milliseconds, SQLiteBytes(row.person),
                    SQLiteBytes(row.keyID), SQLiteBytes(row.bytes),
                ], in: database)
        case .replace(let row, let revision):
            return try Self.replaceBytes(row, revision, in: database) || Self.replaceAll(row, revision, in: database)
        case .remove(let id, let revision):
            return try SQLiteWrite.change(
                "DELETE FROM sessions WHERE id = ? AND revision = ?", [SQLiteBytes(id.bytes), revision], in: database)
        }
    }

    /// Leaves the indexes alone, if none of their columns changes. So it is with most changes, and SQLite would write
    /// each index again, with a page of its own for each.
    private static func replaceBytes(_ row: SealedSession, _ revision: Int64, in database: Database) throws -> Bool {
        try SQLiteWrite.change(
            """
            UPDATE sessions SET revision = ?, bytes = ?
            WHERE id = ? AND revision = ? AND due = ? AND person = ? AND key_id = ?
            """,
            [
                row.revision, SQLiteBytes(row.bytes), SQLiteBytes(row.id.bytes), revision, row.due.milliseconds,
                SQLiteBytes(row.person), SQLiteBytes(row.keyID),
            ], in: database)
    }

    private static func replaceAll(_ row: SealedSession, _ revision: Int64, in database: Database) throws -> Bool {
        try SQLiteWrite.change(
            """
            UPDATE sessions SET revision = ?, due = ?, person = ?, key_id = ?, bytes = ? WHERE id = ? AND revision = ?
            """,
            [
                row.revision, row.due.milliseconds, SQLiteBytes(row.person), SQLiteBytes(row.keyID),
                SQLiteBytes(row.bytes), SQLiteBytes(row.id.bytes), revision,
            ], in: database)
    }
}
