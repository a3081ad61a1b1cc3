import Base
import Logins
import TestSupport
import Testing

@testable import Stores

/// Tests of what only a store for many processes promises: one writer wins, no write is repeated, and errors contain no
/// secrets.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct PostgresStoreTests {
    static func row(
        _ number: Int, revision: Int64 = 1, due: Timestamp = Timestamp(seconds: 5_060), isOver: Bool = false,
        bytes: [UInt8] = [1]
    ) throws -> SealedLogin {
        let id = try #require(LoginID((0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) }))
        return SealedLogin(id: id, revision: revision, due: due, isOpen: !isOver, isOver: isOver, bytes: bytes)
    }

    @Test func `of two processes, one wins`() async throws {
        let stage = try PostgresStage()
        let stores = [try stage.store(), try stage.store()]
        for number in 0..<20 {
            async let one = stores[0].insert(try Self.row(number, bytes: [1]))
            async let other = stores[1].insert(try Self.row(number, bytes: [2]))
            #expect(try await [one, other].filter(\.self).count == 1)
            async let first = stores[0].replace(try Self.row(number, revision: 2, bytes: [3]), revision: 1)
            async let second = stores[1].replace(try Self.row(number, revision: 2, bytes: [4]), revision: 1)
            let winners = try await [first, second]
            #expect(winners.filter(\.self).count == 1)
            let bytes = try await stores[number % 2].load(try Self.row(number).id)?.bytes
            #expect(bytes == (winners[0] ? [3] : [4]))
        }
        for store in stores { await store.close() }
    }

    /// An id is unique and found regardless of the hour in which its row was stored.
    @Test func `an ID is unique in every partition`() async throws {
        let stage = try PostgresStage()
        let store = try stage.store()
        #expect(try await store.insert(try Self.row(1)))
        for hours in [1, 5, 30] {
            try stage.run("UPDATE switchback.login SET hour = hour - \(hours)")
            let other = try stage.store()
            #expect(try await other.insert(try Self.row(1, bytes: [9])) == false)
            #expect(try await other.load(try Self.row(1).id) == Self.row(1))
            #expect(try await other.replace(try Self.row(1, revision: 2), revision: 7) == false)
            await other.close()
        }
        #expect(try await store.load(try Self.row(1).id) == Self.row(1), "also by who knew another hour")
        #expect(try await store.remove(try Self.row(1).id, revision: 1))
        await store.close()
    }

    /// A tombstone is not swept. Its id is free again when its time is over, even before its partition is dropped.
    @Test func `the ID of an expired tombstone is free without a sweep`() async throws {
        let stage = try PostgresStage()
        let store = try stage.store()
        #expect(try await store.insert(try Self.row(1)))
        #expect(try await store.replace(try Self.row(1, revision: 2, isOver: true), revision: 1))
        #expect(try await store.loadDue(at: Timestamp(seconds: 9_000), limit: 9) == [])
        #expect(try await store.load(try Self.row(1).id)?.isOver == true)
        #expect(try await store.insert(try Self.row(1, bytes: [5])))
        let later = PostgresStage.now() + .seconds(60)
        #expect(try await store.insert(try Self.row(2, due: later, isOver: true)))
        #expect(try await store.insert(try Self.row(2)) == false, "its time has not come")
        await store.close()
    }

    @Test func `what other processes do is counted soon`() async throws {
        let stage = try PostgresStage()
        let (one, other) = (try stage.store(), try stage.store())
        #expect(try await one.openCount() == 0)
        for number in 0..<3 { _ = try await other.insert(try Self.row(number)) }
        #expect(try await eventually { try await one.openCount() == 3 })
        #expect(one.open == 3)
        for store in [one, other] { await store.close() }
    }

    @Test func `a damaged row is no login`() async throws {
        let stage = try PostgresStage()
        let store = try stage.store()
        _ = try await store.insert(try Self.row(1))
        try stage.run("UPDATE switchback.login SET id = '\\x01'")
        await #expect(throws: StoreError.unavailable) {
            try await store.loadDue(at: Timestamp(seconds: 9_000), limit: 1)
        }
        #expect(stage.health.withLock { $0.contains(.corrupt) })
        await store.close()
    }

    @Test func `a closed store keeps no connection`() async throws {
        let stage = try PostgresStage()
        let store = try stage.store()
        async let written = store.insert(try Self.row(1))
        _ = try await written
        await store.close()
        await #expect(throws: StoreError.unavailable) { try await store.load(try Self.row(1).id) }
        // Autovacuum may have a connection too.
        let left = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = '\(stage.database)' AND backend_type = 'client backend' AND pid <> pg_backend_pid()
            """
        // So may the previous query, which may not have ended yet.
        #expect(try await eventually { try stage.run(left) == "0" }, "every connection has said goodbye")
    }

    /// The store never uses more connections than allowed, even under load.
    @Test func `a store keeps to its connections`() async throws {
        let stage = try PostgresStage()
        var settings = stage.settings
        settings.connections = 4
        let store = try stage.store(settings)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 { group.addTask { _ = try await store.insert(try Self.row(number)) } }
            try await group.waitForAll()
        }
        let used = try stage.run(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name ~ '^switchback ' AND datname = '\(stage.database)'"
        )
        #expect(used.flatMap { Int($0) }.map { (1...4).contains($0) } == true)
        await store.close()
    }
}
