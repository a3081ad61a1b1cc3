import TestSupport
import Testing

/// Kills servers (`kill -9`) again and again under a thousand phones that renew and unlock their sessions and lose
/// responses: nobody is signed out or locked out for nothing, and no try comes back. `make check` does it with twelve
/// phones and two kills.
@Suite(.blocking, .serialized, .enabled(if: TestTier.isWhole || TestTier.isSoak, "make check and make soak run it"))
struct SoakSessionTests {
    private static let width = 50
    private static let kills = TestTier.isSoak ? TestTier.soakCount(200) : 2
    private static let count = TestTier.isSoak ? TestTier.soakCount(1000, atLeast: 20) : 12

    @Test(arguments: SoakStore.allCases) func `nobody is signed out by kills`(_ store: SoakStore) async throws {
        let random = SoakRandom(seed: TestTier.soakSeed)
        let (kills, count) = (Self.kills, Self.count)
        let folder = try SoakStage.makeFolder()
        let opened = try store.open(in: folder)
        let stage = try SoakStage(
            opened, in: folder, servers: SoakStore.shared.contains(store) ? 2 : 1, behindNginx: true, sessions: true)
        let phones = SoakPhones(stage.url, count: count, width: Self.width, random)
        let progress = SoakProgress("\(count) phones, \(store.rawValue), servers: \(stage.servers.count)")
        progress.say("seed \(TestTier.soakSeed), \(kills) kills")
        let killed = SoakCount()
        try await stage.start()
        try await progress.during({ "\(killed.now) of \(kills) kills, \(phones.tally.line)" }) {
            async let load: Void = phones.run { killed.now < kills }
            // The kills begin when half of the phones have a session. The others log in under them.
            while phones.tally[.login] < count / 2, phones.tally.complaints.isEmpty {
                try await Task.sleep(for: .milliseconds(20))
            }
            for _ in 0..<kills {
                try await Task.sleep(for: random.milliseconds(50...600))
                let server = stage.servers[random.number(in: 0...(stage.servers.count - 1))]
                server.kill()
                killed.add()
                try await server.start()
            }
            try await load
        }
        progress.say("\(kills) kills, \(phones.tally.line)")
        progress.say("asked again: \(phones.patience.met.sorted { $0.key < $1.key })")
        #expect(phones.tally.complaints.prefix(10) == [])
        for server in stage.servers {
            #expect(server.events("session_row_refused").isEmpty)
            try await server.stop()
        }
        // A killed server may not have logged what it counted. It never counts more than the phones were told.
        let logged = stage.servers.map { $0.events("session_wrong_pin").count + $0.events("session_locked_out").count }
            .reduce(0, +)
        let rows = try opened.sessions().count
        progress.say("\(rows) sessions in the store, \(logged) wrong PINs in the logs")
        #expect(logged <= phones.tally[.counted], "no try is spent twice")
        #expect(logged >= phones.tally[.counted] / 2, "the log has most of them")
        #expect(rows == count, "each phone has one session")
        try await stage.stop()
    }
}
