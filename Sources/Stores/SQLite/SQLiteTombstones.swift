import Base
import GRDB
import Logins

/// The tombstones in the file. Requests read them in memory, so the file only has to bring them through a restart.
///
/// The key is the time as seconds × 2¹⁸, plus a number that keeps those of one second apart. So it takes seven bytes
/// until the year 2038, and eight from then on.
enum SQLiteTombstones {
    private static let numbers: Int64 = 1 << 18
    /// The most rows that one transaction removes. They are on a few pages.
    private static let batchSize = 256

    static func insert(_ tombstone: PackedTombstone, in database: Database) throws {
        let first = Int64(tombstone.due) * Self.numbers
        _ = try SQLiteWrite.change(
            """
            INSERT INTO tombstones (key, entry)
            SELECT max(?1, 1 + coalesce((SELECT max(key) FROM tombstones WHERE key < ?2), 0)), ?3
            """, [first, first + Self.numbers, SQLiteBytes(tombstone.id.bytes + tombstone.bytes)], in: database)
    }

    /// Removes some of those that are due. Returns false if there are none.
    static func removeDue(at now: Timestamp, in database: Database) throws -> Bool {
        let (product, overflow) = (Int64(now.seconds) + 1).multipliedReportingOverflow(by: Self.numbers)
        let statement = try database.cachedStatement(
            sql: """
                DELETE FROM tombstones WHERE key <=
                (SELECT max(key) FROM (SELECT key FROM tombstones WHERE key < ? ORDER BY key LIMIT ?))
                """)
        try statement.execute(arguments: [overflow ? .max : product, Self.batchSize])
        return database.changesCount > 0
    }

    static func visitAll(from database: Database, _ visit: (PackedTombstone) -> Void) throws {
        let cursor = try Row.fetchCursor(database, sql: "SELECT key, entry FROM tombstones")
        while let row = try cursor.next() {
            let entry = try SQLiteBytes.read(row, 1)
            guard entry.count == LoginID.byteCount + SealedLogin.tombstoneByteCount,
                let id = LoginID(Array(entry.prefix(LoginID.byteCount))), let key = Int64.fromDatabaseValue(row[0]),
                let due = UInt32(exactly: key / Self.numbers)
            else { throw StorageError.corrupt }
            visit(PackedTombstone(id: id, due: due, bytes: Array(entry.dropFirst(LoginID.byteCount))))
        }
    }
}
