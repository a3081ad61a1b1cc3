import Base
import Logins
import TestSupport
import Testing

@testable import Stores

/// A process that waits for a login learns when another process changes it.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct PostgresWakingTests {
    enum Way: String, CaseIterable, Sendable {
        case notify, poll, pollThroughPooler, notifyBesidePooler, notifyThroughPooler

        static var allCases: [Way] {
            let pooled: [Way] =
                [.pollThroughPooler] + (TestTier.isWhole ? [.notifyBesidePooler, .notifyThroughPooler] : [])
            return [.notify, .poll] + (PgBouncer.isWanted ? pooled : [])
        }

        func settings(_ stage: PostgresStage, _ pooler: PgBouncer?) -> PostgresSettings {
            let pooled = pooler.map { PostgresSettings(url: Secret($0.url(stage.database))) }
            var settings = pooled ?? stage.settings
            switch self {
            case .notify, .notifyThroughPooler: break
            case .poll, .pollThroughPooler: settings.wake = .poll
            case .notifyBesidePooler: settings.listenURL = Secret(stage.url)
            }
            return settings
        }

        var isPooled: Bool { self != .notify && self != .poll }
    }

    /// One process waits and another one writes, again and again, without time for the first one to prepare. No change
    /// is missed, even if LISTEN gets no notifications.
    @Test(arguments: Way.allCases) func `no waiting process sleeps on`(_ way: Way) async throws {
        let stage = try PostgresStage()
        let pooler = way.isPooled ? try PgBouncer(to: stage.server, ignoring: "options") : nil
        let settings = way.settings(stage, pooler)
        let (waiting, writing) = (try stage.store(settings), try stage.store(settings))
        let woken = Mailbox<LoginID>()
        waiting.observeChanges { woken.put($0) }
        writing.observeChanges { _ in }
        let row = try PostgresStoreTests.row(1)
        #expect(try await writing.insert(row))
        for revision in 1...(settings.wake == .notify ? 20 : 6) as ClosedRange<Int64> {
            waiting.watch(row.id)
            #expect(try await waiting.load(row.id)?.revision == revision)
            if revision % 2 == 0 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(
                try await writing.replace(try PostgresStoreTests.row(1, revision: revision + 1), revision: revision))
            #expect(await woken.next() == row.id)
            waiting.unwatch(row.id)
            while !woken.isEmpty { _ = await woken.next() }
        }
        for store in [waiting, writing] { await store.close() }
        pooler?.stop()
    }

    /// The listening connection is cut: no change is missed meanwhile, and the connection is opened again.
    @Test(.enabled(if: TestTier.isWhole, "takes its time"))
    func `a listener that is cut off listens again`() async throws {
        let stage = try PostgresStage()
        let (waiting, writing) = (try stage.store(), try stage.store())
        let woken = Mailbox<LoginID>()
        waiting.observeChanges { woken.put($0) }
        let row = try PostgresStoreTests.row(1)
        #expect(try await writing.insert(row))
        let listens =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        for revision in 1...3 as ClosedRange<Int64> {
            #expect(try await eventually { try stage.run(listens) != "0" })
            waiting.watch(row.id)
            #expect(try await waiting.load(row.id)?.revision == revision)
            try stage.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
            )
            #expect(
                try await writing.replace(try PostgresStoreTests.row(1, revision: revision + 1), revision: revision))
            let begin = ContinuousClock.now
            #expect(await woken.next() == row.id)
            #expect(ContinuousClock.now - begin < .seconds(4))
            waiting.unwatch(row.id)
            while !woken.isEmpty { _ = await woken.next() }
        }
        for store in [waiting, writing] { await store.close() }
    }

    /// A process that is alone notifies nobody, until another one comes. One that has just come queries by itself.
    @Test func `a process that is alone tells nobody`() async throws {
        let stage = try PostgresStage()
        let one = try stage.store()
        one.observeChanges { _ in }
        /// Reads the sessions, as a sweeper does each second.
        func isAlone() async throws -> Bool {
            _ = try await one.takeAbandoned(dueBy: Timestamp(seconds: 5_030))
            return one.changes.isAlone
        }
        #expect(!one.changes.isAlone, "it has not looked yet")
        #expect(try await eventually { try await isAlone() })
        let row = try PostgresStoreTests.row(1)
        #expect(try await one.insert(row))
        let other = try stage.store()
        let woken = Mailbox<LoginID>()
        other.observeChanges { woken.put($0) }
        for revision in 1...2 as ClosedRange<Int64> {
            other.watch(row.id)
            #expect(try await other.load(row.id)?.revision == revision)
            #expect(try await one.replace(try PostgresStoreTests.row(1, revision: revision + 1), revision: revision))
            #expect(await woken.next() == row.id)
            other.unwatch(row.id)
            while !woken.isEmpty { _ = await woken.next() }
            #expect(try await eventually { try await !isAlone() })
        }
        await other.close()
        #expect(try await eventually { try await isAlone() })
        // A session without a process's name may be a server behind a pooler.
        let stranger = try PostgresHandle.open(try stage.settings.address)
        #expect(try await eventually { try await !isAlone() })
        _ = consume stranger
        await one.close()
    }

    /// A pooler in transaction mode stands in for the server. It either refuses features that depend on a session, or
    /// ignores them.
    @Test(
        .enabled(if: PgBouncer.isWanted && TestTier.isWhole, "takes its time"),
        arguments: ["extra_float_digits", "options"])
    func `a process that hears nothing says so`(_ ignored: String) async throws {
        let stage = try PostgresStage()
        let pooler = try PgBouncer(to: stage.server, ignoring: ignored)
        let store = try stage.store(PostgresSettings(url: Secret(pooler.url(stage.database))))
        store.observeChanges { _ in }
        #expect(try await eventually { stage.health.withLock { !$0.isEmpty } })
        let said = stage.health.withLock { $0.compactMap { $0?.description } }
        #expect(said.contains { $0.contains("listen_url") }, "\(said)")
        await store.close()
        pooler.stop()
    }
}
