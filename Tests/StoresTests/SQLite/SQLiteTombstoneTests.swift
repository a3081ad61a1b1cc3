import Base
import GRDB
import Logins
import Testing

@testable import Stores

/// Tests of the tombstones in the file: they survive a restart, go at their time, and take at most 64 bytes.
@Suite struct SQLiteTombstoneTests {
    private static func count(_ store: SQLiteLoginStore, _ table: String) async throws -> Int? {
        try await store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
    }

    @Test func `tombstones survive a restart and go in their time`() async throws {
        let folder = try Scratch()
        var store = try SQLiteLoginStore(path: folder.database)
        // Two of each second, and more than one transaction removes.
        for number in 0..<600 {
            let row = try SQLiteStoreTests.row(number)
            let due = Timestamp(seconds: 6_000 + number / 2)
            #expect(try await store.insert(row))
            #expect(
                try await store.replace(
                    SealedLogin(tombstoneOf: row.id, due: due, bytes: Array(repeating: 1, count: 32)), revision: 1))
        }
        #expect(try await Self.count(store, "login") == 0)
        for (now, left) in [(5_000, 600), (6_000, 598), (6_009, 580), (6_010, 578), (6_298, 2), (6_400, 0)] {
            await store.close()
            store = try SQLiteLoginStore(path: folder.database)
            await store.tidy(at: Timestamp(seconds: now))
            #expect(try await Self.count(store, "tombstones") == left)
            for number in [0, 1, 2, 19, 20, 21, 22, 597, 598, 599] {
                let found = try await store.load(try SQLiteStoreTests.row(number).id)
                #expect((found != nil) == (number >= 600 - left), "\(number) at \(now)")
                #expect(found?.isOver ?? true)
            }
        }
        await store.close()
    }

    @Test func `a tombstone takes at most 64 bytes of the file`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        let count = 20_000
        let bytes = try await store.database.write { database in
            func pages() throws -> Int { try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0 }
            let before = try pages()
            for number in 0..<count {
                // One in ten is of a login that no browser opened, and ends sooner.
                let due = 1_800_000_000 + number / 20 + (number % 10 == 0 ? 600 : 86_400)
                try SQLiteTombstones.insert(try TombstoneTableTests.tombstone(number, due: due), in: database)
            }
            return Double(try (pages() - before) * 4096) / Double(count)
        }
        #expect(bytes <= 64)
        await store.close()
    }

    /// The id of a row that ends and begins in one transaction stays taken.
    @Test func `a transaction knows what it has ended`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        let row = try SQLiteStoreTests.row(1)
        _ = try await store.insert(row)
        let tombstone = SealedLogin(
            tombstoneOf: row.id, due: Timestamp(seconds: 9_000), bytes: Array(repeating: 1, count: 32))
        let live = LiveLogins()
        live.store(row)
        let done = try await store.database.write { database in
            var over: Set<LoginID> = []
            return try [SQLiteWrite.replace(tombstone, revision: 1), .insert(row), .replace(tombstone, revision: 1)]
                .map { try $0.run(in: database, live, &over) }
        }
        #expect(done == [true, false, false])
        await store.close()
    }

    /// The tables of live logins free their memory after a flood.
    @Test func `a table shrinks and loses nothing`() throws {
        let live = LiveLogins()
        for number in 0..<40_000 { live.store(try SQLiteStoreTests.row(number)) }
        let peak = live.capacity
        for number in 0..<39_900 { live.remove(try SQLiteStoreTests.row(number).id) }
        #expect(live.open == 100)
        #expect(live.capacity < peak / 2)
        for number in 39_900..<40_000 {
            let row = try SQLiteStoreTests.row(number)
            #expect(live[row.id] == row)
        }
    }
}
