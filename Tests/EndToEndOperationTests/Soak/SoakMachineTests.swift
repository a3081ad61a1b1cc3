import TestSupport
import Testing

/// Servers that share a store behind nginx, which sends each request to the next one: ten thousand logins, wake-ups
/// from one server to another, and a rolling restart under load.
///
/// A login counts as failed only when it does not complete for an app that retries after a broken connection, a 429 and
/// a 5xx. A user's browser does not retry automatically: with several servers it must not see any of these.
@Suite(.blocking, .serialized, .enabled(if: TestTier.isSoak, "SWITCHBACK_SOAK=1 runs it: make soak"))
struct SoakMachineTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let store: SoakStore
        let servers: Int

        var testDescription: String { "\(self.store.rawValue), servers: \(self.servers)" }
    }

    /// A store that cannot be shared has one server, also behind nginx.
    static let rows = SoakStore.allCases.flatMap { store in
        (SoakStore.shared.contains(store) ? [2, 3] : [1]).map { Row(store: store, servers: $0) }
    }

    private static let width = 64

    @Test(arguments: rows) func `every request may land anywhere`(_ row: Row) async throws {
        let logins = TestTier.soakCount(10_000)
        let stage = try Self.stage(row)
        try await stage.start()
        let load = SoakLoad(stage.url, width: Self.width, SoakRandom(seed: TestTier.soakSeed))
        let progress = SoakProgress("\(logins) logins, \(row.testDescription)")
        let start = ContinuousClock.now
        await progress.during({ load.tally.line }) { await load.run { $0.started < logins } }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        progress.say("\(load.tally.line), \(Int(Double(logins) / seconds)) logins a second")
        #expect(load.tally.complaints.prefix(10) == [])
        #expect(load.tally.completed == logins)
        #expect(load.patience.met == [:])
        #expect(stage.sandbox.requestLog.tokenRequests.values.max() == 1)
        try await stage.stop()
    }

    /// Runs at most `atOnce` logins at a time, to measure the wake-up between servers and not a queue for the
    /// processors, which the app, the browser and the provider use too.
    @Test(arguments: rows) func `a wake-up lasts milliseconds`(_ row: Row) async throws {
        let (logins, atOnce) = (TestTier.soakCount(1000), 2)
        let stage = try Self.stage(row)
        try await stage.start()
        let (url, urls) = (stage.url, stage.servers.map(\.url))
        // The app creates and polls each login at one server, and the browser goes to the next one.
        let load = SoakLoad(url, width: atOnce, SoakRandom(seed: TestTier.soakSeed)) { number in
            let (here, there) = (urls[number % urls.count], urls[(number + 1) % urls.count])
            return SoakLoad.Place(app: here, browser: (url, there), poll: here)
        }
        let progress = SoakProgress("Wake-ups, \(row.testDescription)")
        await progress.during({ load.tally.line }) { await load.run { $0.started < logins } }
        let wakeUps = load.tally.wakeUps
        progress.say(
            "\(load.tally.line); from the callback's answer to the poll's: p50 \(wakeUps.percentile(50)) ms, "
                + "p99 \(wakeUps.percentile(99)) ms, \(wakeUps.percentile(100)) ms at most")
        #expect(load.tally.complaints.prefix(10) == [])
        #expect(load.tally.completed == logins)
        #expect(wakeUps.percentile(99) < 20)
        try await stage.stop()
    }

    /// Restarts one server after the other with SIGTERM, each when the previous one is ready, in three rounds.
    @Test(arguments: rows) func `a rolling restart fails no login`(_ row: Row) async throws {
        let rounds = TestTier.soakCount(3)
        let stage = try Self.stage(row)
        try await stage.start()
        let load = SoakLoad(stage.url, width: Self.width, SoakRandom(seed: TestTier.soakSeed))
        let progress = SoakProgress("Rolling restart, \(row.testDescription)")
        let (ends, restarts) = (SoakCount(), SoakCount())
        try await progress.during({ "\(restarts.now) restarts, \(load.tally.line)" }) {
            async let logins: Void = load.run { _ in ends.now == 0 }
            defer { ends.add() }
            for _ in 0..<rounds {
                for server in stage.servers {
                    try await Task.sleep(for: .seconds(2))
                    try await server.stop()
                    try await server.start()
                    restarts.add()
                }
            }
            try await Task.sleep(for: .seconds(2))
            ends.add()
            await logins
        }
        progress.say("\(restarts.now) restarts, \(load.tally.line)")
        progress.say("asked again: \(load.patience.met.sorted { $0.key < $1.key })")
        #expect(load.tally.complaints.prefix(10) == [])
        #expect(load.tally.completed == load.tally.started)
        if row.servers > 1 { #expect(load.patience.met.filter { $0.key.hasPrefix("browser") } == [:]) }
        try await stage.stop()
    }

    private static func stage(_ row: Row) throws -> SoakStage {
        let folder = try SoakStage.makeFolder()
        return try SoakStage(row.store.open(in: folder), in: folder, servers: row.servers, behindNginx: true)
    }
}
