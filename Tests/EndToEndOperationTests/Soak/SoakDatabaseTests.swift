import TestSupport
import Testing

/// Kills the database (`kill -9`) and fails it over under two hundred logins, directly and through PgBouncer: with
/// synchronous replication no login is lost.
@Suite(.blocking, .serialized, .enabled(if: TestTier.isSoak, "SWITCHBACK_SOAK=1 runs it: make soak"))
struct SoakDatabaseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        enum Event: String, Sendable {
            case restart = "kill -9 and restart of the primary"
            case failOver = "fail-over to the standby"
        }

        let event: Event
        let isPooled: Bool

        var testDescription: String { "\(self.event.rawValue)\(self.isPooled ? ", through PgBouncer" : "")" }
    }

    static let rows = [Row.Event.restart, .failOver].flatMap { event in
        [false, true].map { Row(event: event, isPooled: $0) }
    }

    private static let (width, logins) = (50, TestTier.soakCount(200, atLeast: 50))

    @Test(arguments: rows) func `no login is lost by an outage of the database`(_ row: Row) async throws {
        let pair = try PostgresPair()
        let bouncer = try row.isPooled ? PgBouncer(to: pair.primary) : nil
        let folder = try SoakStage.makeFolder()
        let store = SoakStore.Opened(
            databaseURL: bouncer?.url() ?? pair.url, wake: row.isPooled ? "poll" : "notify")
        let stage = try SoakStage(store, in: folder, servers: 2, behindNginx: true)
        try await stage.start()
        let load = SoakLoad(stage.url, width: Self.width, fault: "code-again", SoakRandom(seed: TestTier.soakSeed))
        let progress = SoakProgress("PostgreSQL, \(row.testDescription)")
        let ends = SoakCount()
        try await progress.during({ load.tally.line }) {
            // The load runs at least `logins` logins, and more until the database is back.
            async let logins: Void = load.run { $0.started < Self.logins || ends.now == 0 }
            defer { ends.add() }
            while load.tally.completed < Self.logins / 4 { try await Task.sleep(for: .milliseconds(20)) }
            progress.say("now: \(row.event.rawValue)")
            try await Self.happen(row.event, pair, bouncer)
            progress.say("the database is there again")
            ends.add()
            await logins
        }
        progress.say("\(load.tally.line); asked again: \(load.patience.met.sorted { $0.key < $1.key })")
        #expect(load.tally.complaints.prefix(10) == [])
        #expect(load.tally.completed == load.tally.started)
        #expect(stage.sandbox.requestLog.tokenRequests.values.max() ?? 0 <= 2)
        try await stage.stop()
        bouncer?.stop()
        pair.remove()
    }

    /// Runs on a thread of its own, away from the load's threads.
    private static func happen(_ event: Row.Event, _ pair: PostgresPair, _ bouncer: PgBouncer?) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            runThread {
                continuation.resume(
                    with: Result {
                        switch event {
                        case .restart: try pair.killAndRestartPrimary()
                        case .failOver:
                            try pair.failOver()
                            try bouncer?.point(to: pair.standby)
                        }
                    })
            }
        }
    }
}
