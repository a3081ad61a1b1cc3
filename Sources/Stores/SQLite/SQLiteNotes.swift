import Base
import GRDB
import Logins

/// The notes of logins, in the same transaction as the writes that they tell of.
enum SQLiteNotes {
    /// The most rows that one transaction removes.
    private static let batchSize = 256

    /// Makes the table if there is none. It is no migration: a server of the version before refuses a file with an unknown
    /// one, and needs to know nothing of this table. A new note stands at the end, so that those of a transaction
    /// share pages.
    static func prepare(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS notes (
                    reference TEXT NOT NULL,
                    id BLOB NOT NULL,
                    keep_until INTEGER NOT NULL,
                    bytes BLOB NOT NULL,
                    PRIMARY KEY (reference, id)
                ) STRICT;
                CREATE INDEX IF NOT EXISTS notes_keep_until ON notes (keep_until);
                """)
    }

    static func add(_ addition: NoteAddition, to id: LoginID, in database: Database) throws {
        _ = try SQLiteWrite.change(
            """
            INSERT INTO notes (reference, id, keep_until, bytes) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (reference, id) DO UPDATE SET keep_until = max(keep_until, ?3),
                bytes = CASE WHEN length(bytes) + length(?4) <= ?5 THEN CAST(bytes || ?4 AS BLOB) ELSE bytes END
            """,
            [
                addition.reference, SQLiteBytes(id.bytes), addition.keepUntil.milliseconds,
                SQLiteBytes(addition.bytes), addition.limit,
            ], in: database)
    }

    static func load(ofReference reference: String, from database: Database) throws -> [StoredNote] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT id, bytes FROM notes WHERE reference = ? ORDER BY id", arguments: [reference])
        return try rows.map { row in
            guard let id = LoginID(try SQLiteBytes.read(row, 0)) else { throw StorageError.corrupt }
            return StoredNote(id: id, bytes: try SQLiteBytes.read(row, 1))
        }
    }

    static func areDue(at now: Timestamp, from database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM notes WHERE keep_until <= ?)", arguments: [now.milliseconds])
            ?? false
    }

    /// Removes some of those whose time is over. Returns false if there are none.
    static func removeDue(at now: Timestamp, in database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                DELETE FROM notes WHERE rowid IN
                (SELECT rowid FROM notes WHERE keep_until <= ? ORDER BY keep_until LIMIT ?)
                """)
        try statement.execute(arguments: [now.milliseconds, Self.batchSize])
        return database.changesCount > 0
    }
}
