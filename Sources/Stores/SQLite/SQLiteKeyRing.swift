import GRDB
import KeyRing
import Logins

/// The ring of keys in the file: one row, or none.
package enum SQLiteKeyRing {
    /// Makes the table if there is none. It is no migration, as for notes.
    static func prepare(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS key_ring (
                    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
                    version INTEGER NOT NULL,
                    bytes BLOB NOT NULL
                ) STRICT
                """)
    }

    static func load(from database: Database) throws -> StoredKeyRing? {
        try Row.fetchOne(database, sql: "SELECT version, bytes FROM key_ring").map { row in
            StoredKeyRing(version: row[0], bytes: try SQLiteBytes.read(row, 1))
        }
    }

    /// Returns false if the stored version is another one.
    static func store(_ row: StoredKeyRing, after former: Int64?, in database: Database) throws -> Bool {
        guard let former else {
            return try SQLiteWrite.change(
                "INSERT INTO key_ring (one, version, bytes) VALUES (1, ?, ?) ON CONFLICT (one) DO NOTHING",
                [row.version, SQLiteBytes(row.bytes)], in: database)
        }
        return try SQLiteWrite.change(
            "UPDATE key_ring SET version = ?, bytes = ? WHERE version = ?",
            [row.version, SQLiteBytes(row.bytes), former], in: database)
    }

    /// Reads the row of a file that a server may be using. Changes nothing there.
    package static func read(_ path: String) throws(StoreOpeningError) -> StoredKeyRing? {
        try SQLiteSessionCounts.reading(path) { database in
            try database.tableExists("key_ring") ? Self.load(from: database) : nil
        }
    }
}

extension SQLiteLoginStore: KeyRingStore {
    package func loadKeyRing() async throws(StoreError) -> StoredKeyRing? {
        try await self.read { try SQLiteKeyRing.load(from: $0) }
    }

    package func storeKeyRing(
        _ row: StoredKeyRing, after former: Int64?
    ) async throws(StoreError) -> Bool {
        try await self.writer.perform(.keyRing(row, after: former))
    }

    /// One process uses the file.
    package var hasStrangers: Bool? { false }
}
