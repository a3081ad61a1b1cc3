import Base
import Logins
import TestSupport
import Testing

@testable import Stores

/// Killed servers, lost responses and read-only databases: no write is repeated, no acknowledged write is lost, and the
/// store recovers on its own.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct PostgresFailureTests {
    typealias Rows = PostgresStoreTests

    /// Tests that kill a server need their own, which the quick tests do not start.
    private static let ownServer = ConditionTrait.enabled(if: TestTier.isWhole, "takes a server of its own")

    @Test(Self.ownServer) func `a killed server loses and doubles nothing`() async throws {
        let server = try PostgresServer()
        let stage = try PostgresStage(on: server)
        let store = try stage.store()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 { group.addTask { try await Self.write(number, to: store) } }
            for _ in 0..<2 {
                try await Task.sleep(for: .milliseconds(300))
                server.kill()
                try server.start()
            }
            let refused = try await group.reduce(0, +)
            #expect(refused > 0, "somebody was in the middle of something")
        }
        #expect(try await eventually { (try? await store.probe()) != nil })
        #expect(stage.health.withLock { $0.last } == .some(nil), "it has recovered, and said so")
        await store.close()
        server.stop()
    }

    /// Writes to one login without competition for two seconds. Returns how often the store was unavailable.
    private static func write(_ number: Int, to store: PostgresLoginStore) async throws -> Int {
        let end = ContinuousClock.now + .seconds(2)
        var refused = 0
        var acknowledged: Int64 = 0
        var revision: Int64 = 0
        while ContinuousClock.now < end || refused == 0 && ContinuousClock.now < end + .seconds(8) || revision == 0 {
            let next = try Rows.row(number, revision: revision + 1, bytes: [UInt8(truncatingIfNeeded: revision)])
            do {
                let isDone =
                    revision == 0
                    ? try await store.insert(next) : try await store.replace(next, revision: revision)
                #expect(isDone, "nobody else writes")
                revision += 1
                acknowledged = revision
            } catch {
                refused += 1
                try await Task.sleep(for: .milliseconds(20))
                // Like every caller: read the row and continue from there.
                guard let found = try? await store.load(next.id) else { continue }
                #expect(found.revision == acknowledged || found.revision == acknowledged + 1)
                revision = found.revision
                acknowledged = revision
            }
        }
        return refused
    }

    /// The write was done but its response was lost, so the store reads the row to find out.
    @Test func `a write whose response was lost is not done twice`() async throws {
        let stage = try PostgresStage()
        let thief = try AnswerThief(to: stage.server.port)
        let url =
            "postgresql://postgres:\(PostgresServer.password)@127.0.0.1:\(thief.port)/\(stage.database)?sslmode=disable"
        var settings = PostgresSettings(url: Secret(url))
        settings.wake = .poll
        let store = try stage.store(settings)
        try await store.probe()
        thief.arm()
        #expect(try await store.insert(try Rows.row(1)))
        thief.arm()
        #expect(try await store.replace(try Rows.row(1, revision: 2, bytes: [2]), revision: 1))
        #expect(try await store.load(try Rows.row(1).id) == Rows.row(1, revision: 2, bytes: [2]))
        thief.arm()
        #expect(try await store.insert(try Rows.row(1, bytes: [9])) == false)
        thief.arm()
        #expect(try await store.load(try Rows.row(1).id)?.revision == 2, "what only reads is asked again")
        thief.arm()
        #expect(try await store.remove(try Rows.row(1).id, revision: 2))
        #expect(thief.thefts == 5)
        await store.close()
        thief.stop()
    }

    /// As behind a firewall that has forgotten all connections: only new ones lead anywhere.
    @Test func `of connections that were cut in silence, one statement is lost`() async throws {
        let stage = try PostgresStage()
        let thief = try AnswerThief(to: stage.server.port)
        let url =
            "postgresql://postgres:\(PostgresServer.password)@127.0.0.1:\(thief.port)/\(stage.database)?sslmode=disable"
        var settings = PostgresSettings(url: Secret(url))
        (settings.wake, settings.statementTimeout) = (.poll, .seconds(1))
        let store = try stage.store(settings)
        #expect(try await store.insert(try Rows.row(1)))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask { _ = await store.pool.ask(PostgresStatement("SELECT pg_sleep(0.3)")) }
            }
        }
        #expect(thief.cut() > 3, "there are some idle connections")
        #expect(try await store.load(try Rows.row(1).id) == Rows.row(1), "what only reads is asked again")
        #expect(try await store.insert(try Rows.row(2)))
        #expect(thief.askedInVain == 1)
        await store.close()
        thief.stop()
    }

    /// Through a pooler nobody ends a slow statement, so it misses its deadline. The other connection is well.
    @Test func `a connection that has spoken since is kept`() async throws {
        let stage = try PostgresStage()
        let thief = try AnswerThief(to: stage.server.port)
        let url =
            "postgresql://postgres:\(PostgresServer.password)@127.0.0.1:\(thief.port)/\(stage.database)?sslmode=disable"
        var settings = PostgresSettings(url: Secret(url))
        (settings.wake, settings.statementTimeout) = (.poll, .seconds(1))
        let store = try stage.store(settings)
        #expect(try await store.insert(try Rows.row(1)))
        let connections = thief.connections
        let slow = Task { await store.pool.ask(PostgresStatement("SELECT pg_sleep(20)")) }
        #expect(try await eventually { store.load.inUse == 1 })
        #expect(try await store.load(try Rows.row(1).id) == Rows.row(1))
        guard case .failure(let failure) = await slow.value, failure.kind == .lost else {
            Issue.record("the statement ended")
            return
        }
        #expect(try await store.load(try Rows.row(1).id) == Rows.row(1))
        #expect(thief.connections == connections + 1, "no third connection was needed")
        await store.close()
        thief.stop()
    }

    @Test(Self.ownServer) func `while nobody responds the store says so at once`() async throws {
        let server = try PostgresServer()
        let stage = try PostgresStage(on: server)
        let store = try stage.store()
        _ = try await store.insert(try Rows.row(1))
        server.kill()
        _ = try? await store.load(try Rows.row(1).id)
        let begin = ContinuousClock.now
        for _ in 0..<20 {
            await #expect(throws: StoreError.unavailable) { try await store.load(try Rows.row(1).id) }
        }
        #expect(ContinuousClock.now - begin < .seconds(5))
        try server.start()
        #expect(try await eventually { (try? await store.load(try Rows.row(1).id)) != nil })
        #expect(try await store.load(try Rows.row(1).id) == Rows.row(1))
        await store.close()
        server.stop()
    }

    /// As after a failover, when this process is still connected to the former primary.
    @Test func `a connection that may not write is closed`() async throws {
        let stage = try PostgresStage()
        let store = try stage.store(PostgresSettings(url: Secret(stage.url + "?target_session_attrs=any")))
        try stage.run("ALTER DATABASE \(stage.database) SET default_transaction_read_only = on")
        await #expect(throws: StoreError.unavailable) { try await store.insert(try Rows.row(1)) }
        #expect(stage.health.withLock { $0 } == [.readOnly])
        try stage.server.run("ALTER DATABASE \(stage.database) RESET default_transaction_read_only")
        #expect(try await store.insert(try Rows.row(1)), "the next connection is another one")
        #expect(stage.health.withLock { $0 } == [.readOnly, nil])
        await store.close()
    }

    /// Another transaction holds a lock on the row. The server ends the statement of a direct connection; a pooled
    /// connection is closed instead.
    @Test(arguments: [PostgresSettings.Wake.notify, .poll]) func `no statement lasts for ever`(
        _ wake: PostgresSettings.Wake
    ) async throws {
        let stage = try PostgresStage()
        var settings = stage.settings
        settings.statementTimeout = .seconds(1)
        settings.wake = wake
        let store = try stage.store(settings)
        _ = try await store.insert(try Rows.row(1))
        let holding = try await stage.hold("UPDATE switchback.login SET bytes = bytes")
        let begin = ContinuousClock.now
        await #expect(throws: StoreError.unavailable) {
            try await store.replace(try Rows.row(1, revision: 2), revision: 1)
        }
        #expect(ContinuousClock.now - begin < .seconds(5))
        #expect(try await store.load(try Rows.row(1).id)?.revision == 1, "others are served")
        await holding.end()
        await store.close()
    }
}
