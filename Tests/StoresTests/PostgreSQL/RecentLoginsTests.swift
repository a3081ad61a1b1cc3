import Base
import Logins
import TestSupport
import Testing

@testable import Stores

/// Which rows a process remembers, and when it forgets them.
@Suite struct RecentLoginsTests {
    private typealias Rows = PostgresStoreTests

    @Test func `the latest revision stays`() throws {
        let recent = RecentLogins()
        let rows = try (1...3).map { try Rows.row(1, revision: $0) }
        recent.note(rows[1], in: 4...6)
        #expect(recent[rows[0].id]?.row == rows[1])
        recent.note(rows[0], in: 5...5)
        #expect(recent[rows[0].id]?.row == rows[1], "a read that was overtaken")
        recent.forget(rows[0].id)
        #expect(recent[rows[0].id]?.row == nil)
        #expect(recent[rows[0].id]?.hours == 4...6, "it is still in the same partition")
        recent.note(rows[0], in: 5...5)
        #expect(recent[rows[0].id]?.row == rows[0], "the database may have lost the others")
        recent.note(rows[2], in: 5...5)
        recent.note(try Rows.row(1, revision: SealedLogin.tombstoneRevision, isOver: true), in: 5...5)
        #expect(recent[rows[0].id] == nil)
    }

    @Test func `the oldest rows are forgotten`() throws {
        let recent = RecentLogins(limit: 10)
        for number in 0..<25 { recent.note(try Rows.row(number), in: 5...5) }
        let known = try (0..<25).filter { try recent[Rows.row($0).id] != nil }
        #expect(known == Array(10..<25))
    }

    /// Another process changes a row: whoever knows the older one cannot store his change, and loads it.
    @Test(.enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed"))
    func `what another process has changed is forgotten`() async throws {
        let stage = try PostgresStage()
        let (one, other) = (try stage.store(), try stage.store())
        let rows = try (1...4).map { try Rows.row(1, revision: $0) }
        #expect(one.recent(rows[0].id) == nil)
        #expect(try await one.insert(rows[0]))
        #expect(one.recent(rows[0].id) == rows[0])
        #expect(try await one.replace(rows[1], revision: 1))
        #expect(one.recent(rows[0].id) == rows[1])
        #expect(try await other.load(rows[0].id) == rows[1])
        #expect(try await other.replace(rows[2], revision: 2))
        #expect(one.recent(rows[0].id) == rows[1], "nobody has told it")
        #expect(try await one.replace(rows[2], revision: 2) == false)
        #expect(one.recent(rows[0].id) == nil)
        #expect(try await one.load(rows[0].id) == rows[2])
        #expect(try await one.replace(rows[3], revision: 3))
        #expect(one.recent(rows[0].id) == rows[3])
        for store in [one, other] { await store.close() }
    }
}
