import Base
import Dispatch
import Foundation
import GRDB
import Logins
import Synchronization
import TestSupport
import Testing

@testable import Stores

/// Tests of what only a store on a disk promises: durability, privacy, a single owner, and error messages.
@Suite struct SQLiteStoreTests {
    static func row(_ number: Int, revision: Int64 = 1, due: Int = 60, bytes: [UInt8] = [1]) throws -> SealedLogin {
        let id = try #require(LoginID((0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) }))
        return SealedLogin(
            id: id, revision: revision, due: Timestamp(seconds: 5_000 + due), isOpen: true, bytes: bytes)
    }

    @Test func `logins survive reopening the file`() async throws {
        let folder = try Scratch()
        for start in 0..<3 {
            let store = try SQLiteLoginStore(path: folder.database)
            #expect(store.open == start)
            let soon = Timestamp(seconds: 5_060)
            for count in [start, 0] { #expect(try await store.takeAbandoned(dueBy: soon).rows.count == count) }
            for number in 0..<start { #expect(try await store.load(try Self.row(number).id) == Self.row(number)) }
            #expect(try await store.insert(try Self.row(start)))
            await store.close()
        }
    }

    /// So a trace shows what was asked of the file, and nothing else.
    @Test func `only what the file has to be asked for is not in memory`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        let row = try Self.row(1)
        #expect(!store.isInMemory(row.id), "nobody knows this id")
        #expect(try await store.insert(row))
        #expect(store.isInMemory(row.id))
        #expect(try await store.remove(row.id, revision: 1))
        #expect(!store.isInMemory(row.id))
        await store.close()
    }

    @Test func `writes are durable and deleted bytes are overwritten`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        let values = try await store.database.writeWithoutTransaction { database in
            try ["synchronous", "journal_mode", "secure_delete", "trusted_schema"].map {
                try String.fetchOne(database, sql: "PRAGMA \($0)")
            }
        }
        #expect(values == ["2", "wal", "1", "0"])
        await store.close()
    }

    /// No part of a row is left in any file once the row is removed and the log is truncated.
    @Test func `what is removed is gone`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        let mark = Array("a row of some length that must not stay".utf8)
        let names = ["switchback.db", "switchback.db-wal"]
        _ = try await store.insert(try Self.row(1, bytes: mark))
        #expect(try folder.contents("switchback.db-wal").range(of: Data(mark)) != nil)
        _ = try await store.remove(try Self.row(1).id, revision: 1)
        await store.tidy(at: Timestamp(seconds: 1))
        for name in names { #expect(try folder.contents(name).range(of: Data(mark)) == nil, "\(name)") }
        #expect(try folder.contents("switchback.db-wal").isEmpty)
        await store.close()
    }

    @Test func `the write-ahead log is cut once in ten seconds`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        // The time in seconds, whether there was a write before, and whether the log is then empty.
        let table = [(100, true, true), (105, true, false), (110, true, true), (119, true, false), (90, true, true)]
        for (seconds, writes, isCut) in table {
            if writes { try await store.probe() }
            await store.tidy(at: Timestamp(seconds: seconds))
            #expect(try folder.contents("switchback.db-wal").isEmpty == isCut, "\(seconds)")
        }
        await store.close()
    }

    @Test func `only its owner reads the file`() async throws {
        let folder = try Scratch()
        let path = folder.path + "/a/b/switchback.db"
        let store = try SQLiteLoginStore(path: path)
        try await store.probe()
        let expected = [
            "a": 0o700, "a/b": 0o700, "a/b/switchback.db": 0o600, "a/b/switchback.db-wal": 0o600,
            "a/b/switchback.db-shm": 0o600, "a/b/switchback.db-lock": 0o600,
        ]
        for (name, mode) in expected { #expect(try folder.mode(name) == mode, "\(name)") }
        await store.close()
        // A copy that is readable by all users.
        chmod(path, 0o644)
        await (try SQLiteLoginStore(path: path)).close()
        #expect(try folder.mode("a/b/switchback.db") == 0o600)
    }

    @Test func `a second store is refused`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        #expect(throws: StoreOpeningError(.inUse, at: folder.database)) {
            try SQLiteLoginStore(path: folder.database)
        }
        #expect(try await store.insert(try Self.row(1)), "and the first goes on")
        await store.close()
        await (try SQLiteLoginStore(path: folder.database)).close()
        await #expect(throws: StoreError.unavailable) { try await store.load(try Self.row(1).id) }
        await #expect(throws: StoreError.unavailable) { try await store.insert(try Self.row(2)) }
    }

    @Test func `the row that is longest overdue comes first`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        for number in 0..<100 { _ = try await store.insert(try Self.row(number, due: number * 37 % 100)) }
        var seconds: [Int] = []
        while true {
            let slice = try await store.loadDue(at: Timestamp(seconds: 5_079), limit: 7)
            guard !slice.isEmpty else { break }
            seconds += slice.map { $0.due.seconds - 5_000 }
            for row in slice { _ = try await store.remove(row.id, revision: row.revision) }
        }
        #expect(seconds == Array(0..<80))
        await store.close()
    }

    /// While one transaction occupies the writer, two hundred more calls wait. A single transaction then does them all.
    @Test func `writes at the same time share a commit`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        for number in 0..<200 { _ = try await store.insert(try Self.row(number)) }
        let before = store.writer.commits
        #expect(before == 200, "one after the other has nobody to share with")
        // Occupied until all of them wait.
        let end = Patience.end
        let allWaited = Atomic(false)
        store.database.asyncWriteWithoutTransaction { _ in
            while store.writer.waitingCount < 200, ContinuousClock.now < end { sched_yield() }
            allWaited.store(store.writer.waitingCount >= 200, ordering: .relaxed)
        }
        let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                // Every second one has a stale revision and gets its own result.
                let row = try Self.row(number, revision: 2)
                group.addTask { try await store.replace(row, revision: number % 2 == 0 ? 1 : 7) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        let isShared = allWaited.load(ordering: .relaxed)
        #expect(isShared)
        #expect(winners == 100)
        #expect(store.writer.commits == before + 1)
        await store.close()
    }

    /// A poll does not wait for SQLite, even if all its connections are busy.
    @Test func `what is live is read from memory`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        let (login, session) = (try Self.row(1), try SessionStoreConformanceTests.row(1))
        _ = try await store.insert(login)
        _ = try await store.insertSession(session)
        let end = DispatchSemaphore(value: 0)
        let isLate = Atomic(false)
        // Occupies a connection. What waits for SQLite after all goes on too late, and does not hang.
        let occupy: @Sendable () -> Void = {
            if end.wait(timeout: .now() + .seconds(120)) == .timedOut { isLate.store(true, ordering: .relaxed) }
        }
        store.database.asyncWriteWithoutTransaction { _ in occupy() }
        for _ in 0..<4 { store.database.asyncRead { _ in occupy() } }
        #expect(try await store.load(login.id) == login)
        #expect(try await store.loadSession(session.id) == session)
        for _ in 0..<5 { end.signal() }
        await store.close()
        // Open logins are in memory from the start.
        let next = try SQLiteLoginStore(path: folder.database)
        for _ in 0..<4 { next.database.asyncRead { _ in occupy() } }
        #expect(try await next.load(login.id) == login)
        for _ in 0..<4 { end.signal() }
        await next.close()
        let gaveUp = isLate.load(ordering: .relaxed)
        #expect(!gaveUp)
    }

    /// A row that somebody has changed with another program is read again after the first conflict.
    @Test func `what another program has changed is read again`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        for number in 1...2 {
            _ = try await store.insert(try Self.row(number))
            _ = try await store.insertSession(try SessionStoreConformanceTests.row(number))
        }
        try await DatabaseQueue(path: folder.database).write { database in
            for table in ["login", "sessions"] { try database.execute(sql: "DELETE FROM \(table)") }
        }
        #expect(try await store.replace(try Self.row(1, revision: 2), revision: 1) == false)
        #expect(try await store.remove(try Self.row(2).id, revision: 1) == false)
        let session = try SessionStoreConformanceTests.row(1, revision: 2)
        #expect(try await store.replaceSession(session, revision: 1) == false)
        #expect(try await store.removeSession(try SessionStoreConformanceTests.row(2).id, revision: 1) == false)
        for number in 1...2 {
            #expect(try await store.load(try Self.row(number).id) == nil)
            #expect(try await store.loadSession(try SessionStoreConformanceTests.row(number).id) == nil)
        }
        #expect(store.open == 0)
        await store.close()
    }

    @Test func `a full disk is said once and passes by`() async throws {
        let folder = try Scratch()
        let health = Mutex<[StorageError?]>([])
        let store = try SQLiteLoginStore(path: folder.database) { cause in health.withLock { $0.append(cause) } }
        func limit(_ pages: Int) async throws {
            try await store.database.writeWithoutTransaction { database in
                _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages)")
            }
        }
        _ = try await store.insert(try Self.row(1))
        try await limit(1)
        let large = Array(repeating: 7 as UInt8, count: 50_000)
        for number in 2...4 {
            await #expect(throws: StoreError.unavailable) { try await store.insert(try Self.row(number, bytes: large)) }
        }
        #expect(try await store.load(try Self.row(1).id) == Self.row(1), "what is there can be read")
        #expect(try await store.load(try Self.row(2).id) == nil)
        #expect(store.open == 1)
        try await limit(1_000_000)
        #expect(try await store.insert(try Self.row(2, bytes: large)))
        #expect(health.withLock { $0 } == [.full, nil])
        await store.close()
    }

    /// SQLite would continue with the moved file that no later start finds, and would read a different file in its
    /// place.
    @Test func `a file that was moved away keeps nothing`() async throws {
        let folder = try Scratch()
        let health = Mutex<[StorageError?]>([])
        let store = try SQLiteLoginStore(path: folder.path + "/data/switchback.db") { cause in
            health.withLock { $0.append(cause) }
        }
        _ = try await store.insert(try Self.row(1))
        try FileManager.default.moveItem(atPath: folder.path + "/data", toPath: folder.path + "/elsewhere")
        await #expect(throws: StoreError.unavailable) { try await store.probe() }
        #expect(try await store.load(try Self.row(1).id) == Self.row(1), "it is in memory")
        await #expect(throws: StoreError.unavailable) { try await store.load(try Self.row(2).id) }
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: false)
        try folder.write([], to: "data/switchback.db")
        await #expect(throws: StoreError.unavailable) { try await store.insert(try Self.row(2)) }
        #expect(health.withLock { $0 }.allSatisfy { $0 == .moved })

        try FileManager.default.removeItem(atPath: folder.path + "/data")
        try FileManager.default.moveItem(atPath: folder.path + "/elsewhere", toPath: folder.path + "/data")
        #expect(try await store.load(try Self.row(1).id) == Self.row(1))
        #expect(try await store.insert(try Self.row(2)))
        await store.close()
    }

    @Test func `a damaged row is no login`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        _ = try await store.insert(try Self.row(1))
        try await store.database.write { try $0.execute(sql: "UPDATE login SET id = x'01'") }
        await #expect(throws: StoreError.unavailable) {
            try await store.loadDue(at: Timestamp(seconds: 9_000), limit: 1)
        }
        await store.close()
    }
}
