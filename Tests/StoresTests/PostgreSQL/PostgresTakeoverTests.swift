import Base
import Logins
import TestSupport
import Testing

@testable import Stores

/// A store sees that another process on the database has ended, and finds what that process may have left.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct PostgresTakeoverTests {
    private static let soon = Timestamp(seconds: 5_030)

    /// Reads until `isEnough`, as a sweeper does each second.
    private static func read(
        _ store: PostgresLoginStore, until isEnough: (AbandonedLogins) -> Bool
    ) async throws -> AbandonedLogins {
        for _ in 0..<1000 {
            let found = try await store.takeAbandoned(dueBy: Self.soon)
            if isEnough(found) { return found }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw MissingTool(description: "nothing is found")
    }

    @Test func `what another process has left is found once`() async throws {
        let stage = try PostgresStage()
        let (one, other) = (try stage.store(), try stage.store())
        for store in [one, other] { store.observeChanges { _ in } }
        #expect(one.processName.isEmpty, "it has not seen itself yet")
        let rows = try (1...3).map { try PostgresStoreTests.row($0, due: Timestamp(seconds: 5_000 + $0 * 15)) }
        for row in rows { #expect(try await other.insert(row)) }
        for store in [one, other] { _ = try await Self.read(store) { _ in !store.processName.isEmpty } }
        let name = other.processName
        #expect(name != one.processName)
        #expect(try await one.takeAbandoned(dueBy: Self.soon).ended == [])
        await other.close()
        let found = try await Self.read(one) { $0.ended != [] }
        #expect(found.ended == [name])
        #expect(Set(found.rows.map(\.id)) == Set(rows.prefix(2).map(\.id)), "the third is not due soon")
        let again = try await one.takeAbandoned(dueBy: Self.soon)
        #expect(again.rows.isEmpty && again.ended == [])
        await one.close()
    }

    /// Its sessions are ended, and it opens others at once.
    @Test func `a process that returns has not ended`() async throws {
        let stage = try PostgresStage()
        let (one, other) = (try stage.store(), try stage.store())
        for store in [one, other] {
            store.observeChanges { _ in }
            _ = try await Self.read(store) { _ in !store.processName.isEmpty }
        }
        _ = try await one.takeAbandoned(dueBy: Self.soon)
        let name = other.processName
        let sessions = "FROM pg_stat_activity WHERE application_name LIKE '% \(name)'"
        try stage.run("SELECT pg_terminate_backend(pid) \(sessions)")
        for _ in 0..<1000 where try stage.run("SELECT count(*) > 0 \(sessions)") != "t" {
            try await Task.sleep(for: .milliseconds(20))
        }
        for _ in 0..<3 { #expect(try await one.takeAbandoned(dueBy: Self.soon).ended == []) }
        for store in [one, other] { await store.close() }
    }

    /// Through a pooler no session is a process's own, so nothing is concluded from sessions.
    @Test func `behind a pooler no process counts as ended`() async throws {
        let stage = try PostgresStage()
        var settings = stage.settings
        settings.wake = .poll
        let store = try stage.store(settings)
        store.observeChanges { _ in }
        for _ in 0..<3 { #expect(try await store.takeAbandoned(dueBy: Self.soon).ended == []) }
        #expect(store.processName.isEmpty)
        await store.close()
    }
}
