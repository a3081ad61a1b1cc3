import Base
import Foundation
import GRDB
import Logins
import Sessions
import Testing

@testable import Stores

/// The file of the previous version, and what the previous version does with the file of this one.
@Suite struct SQLiteMigrationTests {
    /// Makes a file as version 1 did, with two logins. Never change this: it is what is on disks.
    private static func makeVersion1(_ path: String) async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = wal;
                    PRAGMA application_id = 1400324715;
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    CREATE TABLE login (
                        id BLOB NOT NULL PRIMARY KEY,
                        revision INTEGER NOT NULL,
                        due INTEGER NOT NULL,
                        is_open INTEGER NOT NULL,
                        bytes BLOB NOT NULL
                    ) STRICT;
                    CREATE INDEX login_due ON login (due);
                    INSERT INTO grdb_migrations VALUES ('1 login');
                    INSERT INTO login VALUES (x'01000000010000000100000001000000', 7, 5060000, 1, x'0102');
                    INSERT INTO login VALUES (x'02000000020000000200000002000000', 3, 5020000, 0, x'03');
                    """)
        }
        try queue.close()
    }

    @Test func `the file of the version before is upgraded`() async throws {
        let folder = try Scratch()
        try await Self.makeVersion1(folder.database)
        for start in 0..<2 {
            let store = try SQLiteLoginStore(path: folder.database)
            #expect(store.open == 1)
            let row = try SQLiteStoreTests.row(1, revision: 7, bytes: [1, 2])
            #expect(try await store.load(row.id) == row)
            #expect(try await store.load(try SQLiteStoreTests.row(2).id)?.isOpen == false)
            #expect(try await store.insertSession(try SessionStoreConformanceTests.row(start)))
            #expect(try await store.loadSession(try SessionStoreConformanceTests.row(0).id) != nil)
            await store.close()
        }
    }

    /// If the disk is full during the upgrade, the file stays as it was.
    @Test func `an upgrade is complete or undone`() async throws {
        let folder = try Scratch()
        try await Self.makeVersion1(folder.database)
        let queue = try DatabaseQueue(path: folder.database)
        try await queue.writeWithoutTransaction { database in
            let pages = try #require(try Int.fetchOne(database, sql: "PRAGMA page_count"))
            _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages + 1)")
        }
        #expect(throws: DatabaseError.self) { try SQLiteSchema.migrator.migrate(queue) }
        let tables = try await queue.read { database in
            try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        }
        #expect(tables == ["grdb_migrations", "login"])
        try queue.close()
        let store = try SQLiteLoginStore(path: folder.database)
        #expect(try await store.insertSession(try SessionStoreConformanceTests.row(1)))
        #expect(store.open == 1)
        await store.close()
    }

    /// Every statement of version 1, with what it returns. Never change these: servers run them.
    @Test func `the statements of the version before work`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        _ = try await store.insertSession(try SessionStoreConformanceTests.row(1))
        try await store.database.write { database in
            func run(_ sql: String, _ arguments: StatementArguments) throws -> Int {
                try database.cachedStatement(sql: sql).execute(arguments: arguments)
                return database.changesCount
            }
            let id = Data(repeating: 9, count: 16)
            let insertion = """
                INSERT INTO login (id, revision, due, is_open, bytes) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
                """
            #expect(try run(insertion, [id, 1, 60, true, Data([1])]) == 1)
            #expect(try run(insertion, [id, 1, 60, true, Data([2])]) == 0)
            let check = "SELECT is_open FROM login WHERE id = ? AND revision = ?"
            #expect(try Bool.fetchOne(database, sql: check, arguments: [id, 1]) == true)
            #expect(try Bool.fetchOne(database, sql: check, arguments: [id, 2]) == nil)
            let update = "UPDATE login SET revision = ?, due = ?, is_open = ?, bytes = ? WHERE id = ?"
            #expect(try run(update, [2, 70, false, Data([3]), id]) == 1)
            for (condition, arguments) in [
                ("WHERE id = ?", [id]), ("WHERE due <= ? ORDER BY due LIMIT ?", [100, 9]),
            ] as [(String, StatementArguments)] {
                let row = try Row.fetchOne(
                    database, sql: "SELECT id, revision, due, is_open, bytes FROM login \(condition)",
                    arguments: arguments)
                #expect(row == ["id": id, "revision": 2, "due": 70, "is_open": 0, "bytes": Data([3])])
            }
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM login WHERE is_open") == 0)
            #expect(try run("DELETE FROM login WHERE id = ?", [id]) == 1)
        }
        #expect(try await store.loadSession(try SessionStoreConformanceTests.row(1).id) != nil)
        await store.close()
    }
}
