import Base
import Foundation
import GRDB
import Glibc
import Logins
import Sessions
import TestSupport
import Testing

@testable import Stores

/// Tests of what only a session store on a disk promises: durability, privacy, and small writes.
@Suite struct SQLiteSessionTests {
    typealias Rows = SessionStoreConformanceTests

    @Test func `sessions survive reopening the file`() async throws {
        let folder = try Scratch()
        for start in 0..<3 {
            let store = try SQLiteLoginStore(path: folder.database)
            for number in 0..<start {
                #expect(try await store.loadSession(try Rows.row(number).id) == Rows.row(number))
            }
            #expect(try await store.sessionCounts().map(\.count) == (start == 0 ? [] : [start]))
            #expect(try await store.insertSession(try Rows.row(start)))
            await store.close()
        }
    }

    /// No part of a row is left in any file once the row is removed and the log is truncated.
    @Test func `what is removed is gone`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        let mark = Array("a row of some length that must not stay".utf8)
        _ = try await store.insertSession(try Rows.row(1, bytes: mark))
        #expect(try folder.contents("switchback.db-wal").range(of: Data(mark)) != nil)
        _ = try await store.replaceSession(try Rows.row(1, revision: 2), revision: 1)
        await store.tidy(at: Timestamp(seconds: 1))
        for name in ["switchback.db", "switchback.db-wal"] {
            #expect(try folder.contents(name).range(of: Data(mark)) == nil, "\(name)")
        }
        await store.close()
    }

    /// An unlock changes no column with an index, so it writes the row's page and no other.
    @Test func `most changes write one page`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        // The change, and the pages that it writes: the row, and each index with a changed column.
        let table = try [
            (Rows.row(1, revision: 2, bytes: [2]), 1), (Rows.row(1, revision: 3, due: 90), 2),
            (Rows.row(1, revision: 4, due: 90, key: 2), 4),
        ]
        #expect(try await store.insertSession(try Rows.row(1)))
        for (number, (row, pages)) in table.enumerated() {
            await store.tidy(at: Timestamp(seconds: 1_000 * number))
            #expect(try folder.contents("switchback.db-wal").isEmpty)
            #expect(try await store.replaceSession(row, revision: row.revision - 1))
            // The format of the log: a header of 32 bytes, and 24 before each page (sqlite.org/fileformat2.html §4.1).
            let count = (try folder.contents("switchback.db-wal").count - 32) / (24 + 4_096)
            #expect(pages == 1 ? count == 1 : count > 1, "revision \(row.revision): \(count)")
            #expect(try await store.loadSession(row.id) == row)
        }
        await store.close()
    }

    /// Otherwise a sweep would read the whole table, again and again.
    @Test func `every query has an index`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        let plans = try await store.database.read { database in
            try [
                "SELECT * FROM sessions WHERE id = x'01'", "SELECT * FROM sessions WHERE person = x'01' LIMIT 9",
                "SELECT * FROM sessions WHERE due <= 5 ORDER BY due LIMIT 9",
                "SELECT * FROM sessions WHERE key_id < x'01' ORDER BY key_id LIMIT 9",
                "SELECT * FROM sessions WHERE key_id > x'01' ORDER BY key_id LIMIT 9",
                "SELECT key_id, count(*) FROM sessions GROUP BY key_id",
            ].map { try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \($0)").map { $0["detail"] ?? "" } }
        }
        let names = ["sqlite_autoindex_sessions_1", "person", "due", "key", "key", "key"]
        for (plan, name) in zip(plans, names) {
            #expect(plan.count == 1 && plan[0].contains("INDEX") && plan[0].contains(name), "\(plan)")
        }
        await store.close()
    }

    @Test func `a damaged row is no session`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        _ = try await store.insertSession(try Rows.row(1))
        try await store.database.write { try $0.execute(sql: "UPDATE sessions SET id = x'01'") }
        await #expect(throws: StoreError.unavailable) {
            try await store.loadDueSessions(at: Timestamp(seconds: 9_000), limit: 1)
        }
        await store.close()
    }

    @Test func `while the disk is full nothing is said to be done`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        func limit(_ pages: Int) async throws {
            try await store.database.writeWithoutTransaction { database in
                _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages)")
            }
        }
        _ = try await store.insertSession(try Rows.row(1))
        try await limit(1)
        let large = Array(repeating: 7 as UInt8, count: 50_000)
        await #expect(throws: StoreError.unavailable) { try await store.insertSession(try Rows.row(2, bytes: large)) }
        await #expect(throws: StoreError.unavailable) {
            try await store.replaceSession(try Rows.row(1, revision: 2, bytes: large), revision: 1)
        }
        #expect(try await store.loadSession(try Rows.row(1).id) == Rows.row(1))
        try await limit(1_000_000)
        #expect(try await store.replaceSession(try Rows.row(1, revision: 2, bytes: large), revision: 1))
        #expect(try await store.insertSession(try Rows.row(2, bytes: large)))
        await store.close()
    }

    /// `kill -9` during many concurrent writes: every acknowledged change is there, and no row is incomplete.
    @Test(arguments: [1, 60, 700]) func `what was acknowledged is there`(_ acknowledgements: Int) async throws {
        let folder = try Scratch()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, acknowledgements = acknowledgements as Int] in
            endProcess(afterMinutes: 10)
            let store = try SQLiteLoginStore(path: path + "/switchback.db")
            let notes = open(path + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
            let writers = SessionWriters(store)
            try await writers.run { number, revision, total in
                let line = Array("\(number) \(revision)\n".utf8)
                guard write(notes, line, line.count) == line.count else { return false }
                if total == acknowledgements { kill(getpid(), SIGKILL) }
                return true
            }
        }
        let acknowledged = try folder.contents("acknowledged").split(separator: 0x0A).map {
            String(decoding: $0, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        }
        #expect(acknowledged.count >= acknowledgements)
        let store = try SQLiteLoginStore(path: folder.database)
        for entry in acknowledged {
            let row = try #require(try await store.loadSession(try Rows.row(entry[0]).id))
            #expect(row.revision >= Int64(entry[1]), "session \(entry[0])")
            #expect(try row == SessionWriters.row(entry[0], row.revision), "whole, and of its revision")
        }
        await store.close()
    }
}
