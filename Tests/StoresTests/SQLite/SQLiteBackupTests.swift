import Base
import Foundation
import GRDB
import Logins
import Sessions
import Synchronization
import TestSupport
import Testing

@testable import Stores

/// Copies of the file while the server writes, made and restored as docs/how-to/back-up.md says.
@Suite(.blocking) struct SQLiteBackupTests {
    private static let command = MissingTool(of: "sqlite3")
    private static let isWanted = ConditionTrait.enabled(
        if: Self.command == nil || TestTier.isWhole, "sqlite3 is not installed")

    private static func sqlite3(_ arguments: [String], in folder: Scratch) throws -> ChildProcess {
        try ChildProcess(tool: "sqlite3", arguments, in: folder.path, output: folder.path + "/output")
    }

    @Test(Self.isWanted) func `a copy under load is of one moment`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        _ = try await store.insert(try SQLiteStoreTests.row(1))
        let writers = SessionWriters(store)
        async let writing: Void = writers.run()
        #expect(try await eventually { writers.books.count == 2 * SessionWriters.count })
        for number in 0..<3 {
            let before = writers.books
            let copy = "copy-\(number).db"
            #expect(try Self.sqlite3(["switchback.db", "VACUUM INTO '\(copy)'"], in: folder).end())
            let check = CopyCheck(before: before, after: writers.books)
            let changes = writers.changes
            #expect(try await eventually { writers.changes > changes }, "the server goes on")
            #expect(try Self.sqlite3([copy, "DELETE FROM login; VACUUM"], in: folder).end())
            let restored = try SQLiteLoginStore(path: folder.path + "/" + copy)
            #expect(try await check.problems(in: restored) == [])
            #expect(restored.open == 0, "no login is in it")
            #expect(try await restored.insertSession(try SessionWriters.row(1_000, 1)), "it is a store like any other")
            await restored.close()
        }
        writers.stop()
        try await writing
        await store.close()
    }

    /// The file is replaced while its server is stopped. What is beside it belongs to the old file and goes with it.
    @Test(Self.isWanted) func `a copy is restored in place of the file`() async throws {
        let folder = try Scratch()
        var store = try SQLiteLoginStore(path: folder.database)
        #expect(try await store.insertSession(try SessionWriters.row(1, 1)))
        #expect(try await store.insertSession(try SessionWriters.row(2, 1)))
        #expect(try Self.sqlite3(["switchback.db", "VACUUM INTO 'copy.db'"], in: folder).end())
        #expect(try await store.replaceSession(try SessionWriters.row(1, 2), revision: 1))
        #expect(try await store.removeSession(try SessionWriters.row(2, 1).id, revision: 1))
        await store.close()

        for name in ["switchback.db", "switchback.db-wal", "switchback.db-shm"] {
            try? FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
        try FileManager.default.moveItem(atPath: folder.path + "/copy.db", toPath: folder.database)
        store = try SQLiteLoginStore(path: folder.database)
        #expect(try await store.loadSession(try SessionWriters.row(1, 1).id)?.revision == 1, "as it was then")
        #expect(try await store.loadSession(try SessionWriters.row(2, 1).id) != nil, "what was revoked is back")
        #expect(try folder.mode("switchback.db") == 0o600)
        await store.close()
    }

    /// A backup reads for a while. No write waits for it, and the log is truncated after it.
    @Test func `a backup holds nobody up`() async throws {
        let folder = try Scratch()
        let health = Mutex<[StorageError?]>([])
        let store = try SQLiteLoginStore(path: folder.database) { cause in health.withLock { $0.append(cause) } }
        let row = try SessionWriters.row(1, 1)
        #expect(try await store.insertSession(row))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let backup = try DatabaseQueue(path: folder.database, configuration: configuration)
        try await backup.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN; SELECT count(*) FROM sessions")
        }
        #expect(try await store.replaceSession(try SessionWriters.row(1, 2), revision: 1))
        let begin = ContinuousClock.now
        await store.tidy(at: Timestamp(seconds: 100))
        #expect(ContinuousClock.now - begin < .seconds(4), "less than a lock is waited for")
        #expect(try await store.replaceSession(try SessionWriters.row(1, 3), revision: 2))
        #expect(try !folder.contents("switchback.db-wal").isEmpty)
        try await backup.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try backup.close()
        await store.tidy(at: Timestamp(seconds: 110))
        #expect(try folder.contents("switchback.db-wal").isEmpty)
        #expect(health.withLock { $0.compactMap(\.self) } == [], "nothing is wrong")
        await store.close()
    }
}
