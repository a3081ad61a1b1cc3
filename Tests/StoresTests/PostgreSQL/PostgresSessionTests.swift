import Base
import Logins
import Sessions
import TestSupport
import Testing

@testable import Stores

/// Tests of sessions in a database that many processes share: one writer wins, nothing that was acknowledged is lost,
/// and nothing is done twice.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct PostgresSessionTests {
    typealias Rows = SessionStoreConformanceTests

    /// Tests that kill a server need their own, which the quick tests do not start.
    private static let ownServer = ConditionTrait.enabled(if: TestTier.isWhole, "takes a server of its own")

    /// `keys status` counts beside the servers.
    @Test func `another process counts the sessions`() async throws {
        let stage = try PostgresStage()
        let store = try stage.store()
        for (number, key) in [(1, 1), (2, 1), (3, 2)] as [(Int, UInt8)] {
            #expect(try await store.insertSession(try Rows.row(number, key: key)))
        }
        let counts = try PostgresSessionCounts.read(stage.settings)
        #expect(
            Dictionary(uniqueKeysWithValues: counts.map { ($0.keyID, $0.count) }) == [Rows.key(1): 2, Rows.key(2): 1])
        await store.close()
    }

    @Test func `of two processes, one wins`() async throws {
        let stage = try PostgresStage()
        let stores = [try stage.store(), try stage.store()]
        for number in 0..<20 {
            async let one = stores[0].insertSession(try Rows.row(number, bytes: [1]))
            async let other = stores[1].insertSession(try Rows.row(number, bytes: [2]))
            #expect(try await [one, other].filter(\.self).count == 1)
            async let first = stores[0].replaceSession(try Rows.row(number, revision: 2, bytes: [3]), revision: 1)
            async let second = stores[1].replaceSession(try Rows.row(number, revision: 2, bytes: [4]), revision: 1)
            let winners = try await [first, second]
            #expect(winners.filter(\.self).count == 1)
            let bytes = try await stores[number % 2].loadSession(try Rows.row(number).id)?.bytes
            #expect(bytes == (winners[0] ? [3] : [4]))
        }
        for store in stores { await store.close() }
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
        #expect(try await store.insertSession(try Rows.row(1)))
        thief.arm()
        #expect(try await store.replaceSession(try Rows.row(1, revision: 2, bytes: [2]), revision: 1))
        #expect(try await store.loadSession(try Rows.row(1).id) == Rows.row(1, revision: 2, bytes: [2]))
        thief.arm()
        #expect(try await store.insertSession(try Rows.row(1, bytes: [9])) == false)
        thief.arm()
        #expect(try await store.loadSession(try Rows.row(1).id)?.revision == 2, "what only reads is asked again")
        thief.arm()
        #expect(try await store.loadSessions(ofPersons: [Rows.person(1)], after: nil, limit: 9).count == 1)
        thief.arm()
        #expect(try await store.sessionCounts().map(\.count) == [1])
        thief.arm()
        #expect(try await store.removeSession(try Rows.row(1).id, revision: 2))
        #expect(thief.thefts == 7)
        await store.close()
        thief.stop()
    }

    /// The database is killed again and again. What it acknowledged is there, and nothing is there that nobody wrote.
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

    /// Changes one session without competition for two seconds. Returns how often the store was unavailable.
    private static func write(_ number: Int, to store: PostgresLoginStore) async throws -> Int {
        let end = ContinuousClock.now + .seconds(2)
        var refused = 0
        var revision: Int64 = 0
        while ContinuousClock.now < end || refused == 0 && ContinuousClock.now < end + .seconds(8) || revision == 0 {
            let next = try Rows.row(number, revision: revision + 1, bytes: [UInt8(truncatingIfNeeded: revision)])
            do {
                let isDone =
                    revision == 0
                    ? try await store.insertSession(next) : try await store.replaceSession(next, revision: revision)
                #expect(isDone, "nobody else writes")
                revision += 1
            } catch {
                refused += 1
                try await Task.sleep(for: .milliseconds(20))
                // Like every caller: read the row and continue from there.
                guard let found = try? await store.loadSession(next.id) else { continue }
                #expect(found.revision == revision || found == next)
                revision = found.revision
            }
        }
        return refused
    }

    @Test func `a damaged row is no session`() async throws {
        let stage = try PostgresStage()
        let store = try stage.store()
        _ = try await store.insertSession(try Rows.row(1))
        try stage.run("UPDATE switchback.session SET id = '\\x01'")
        await #expect(throws: StoreError.unavailable) {
            try await store.loadDueSessions(at: Timestamp(seconds: 9_000), limit: 1)
        }
        #expect(stage.health.withLock { $0.contains(.corrupt) })
        await store.close()
    }

    /// As after a failover, when this process is still connected to the former primary.
    @Test func `a connection that may not write is closed`() async throws {
        let stage = try PostgresStage()
        let store = try stage.store(PostgresSettings(url: Secret(stage.url + "?target_session_attrs=any")))
        try stage.run("ALTER DATABASE \(stage.database) SET default_transaction_read_only = on")
        await #expect(throws: StoreError.unavailable) { try await store.insertSession(try Rows.row(1)) }
        #expect(stage.health.withLock { $0 } == [.readOnly])
        try stage.server.run("ALTER DATABASE \(stage.database) RESET default_transaction_read_only")
        #expect(try await store.insertSession(try Rows.row(1)), "the next connection is another one")
        await store.close()
    }

    /// Otherwise a sweep would read the whole table, again and again.
    @Test func `every query has an index`() throws {
        let stage = try PostgresStage()
        try stage.run(
            """
            INSERT INTO switchback.session
            SELECT decode(md5(n::text), 'hex'), 1, n, decode(md5('p' || n / 3), 'hex'), '\\x05', '\\x01'
            FROM generate_series(1, 20000) AS n;
            ANALYZE switchback.session
            """)
        let id = "decode(md5('7'), 'hex')"
        let table = [
            ("WHERE id = \(id)", "session_pkey"), ("WHERE id = \(id) AND revision = 1", "session_pkey"),
            ("WHERE person = ANY (ARRAY[\(id), decode(md5('p7'), 'hex')]) LIMIT 9", "session_person"),
            ("WHERE due <= 50 ORDER BY due LIMIT 9", "session_due"),
            ("WHERE key_id < '\\x05' ORDER BY key_id LIMIT 9", "session_key"),
            ("WHERE key_id > '\\x05' ORDER BY key_id LIMIT 9", "session_key"),
        ]
        for (condition, index) in table {
            let plan = try stage.run("EXPLAIN (FORMAT json) SELECT * FROM switchback.session \(condition)") ?? ""
            #expect(plan.contains("\"\(index)\"") && !plan.contains("Seq Scan"), "\(condition): \(plan)")
        }
    }

    /// An unlock changes no column with an index, so its page has room and no index is written (HOT). On a shared
    /// server the long transactions of other tests keep old row versions, and pages get no room.
    @Test(Self.ownServer) func `most changes write no index`() async throws {
        let server = try PostgresServer()
        let stage = try PostgresStage(on: server)
        let store = try stage.store()
        let bytes = Array(repeating: 7 as UInt8, count: 700)
        for number in 0..<50 { _ = try await store.insertSession(try Rows.row(number, bytes: bytes)) }
        for revision in 1...4 as ClosedRange<Int64> {
            for number in 0..<50 {
                let next = try Rows.row(number, revision: revision + 1, bytes: bytes)
                #expect(try await store.replaceSession(next, revision: revision))
            }
        }
        // The server counts with a delay.
        func count(_ column: String) throws -> Int {
            try stage.run("SELECT \(column) FROM pg_stat_user_tables WHERE relname = 'session'").flatMap { Int($0) }
                ?? 0
        }
        #expect(try await eventually { try count("n_tup_upd") >= 200 })
        #expect(try count("n_tup_hot_upd") >= 180)
        await store.close()
        server.stop()
    }
}
