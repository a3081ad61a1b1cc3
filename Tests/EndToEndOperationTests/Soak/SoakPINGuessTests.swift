import Base
import PhoneKeys
import Synchronization
import TestSupport
import Testing

/// Ten thousand wrong PINs at once, at two servers on one database: exactly five count. `make check` sends two hundred.
@Suite(.blocking, .serialized, .enabled(if: TestTier.isWhole || TestTier.isSoak, "make check and make soak run it"))
struct SoakPINGuessTests {
    private static let count = TestTier.isSoak ? TestTier.soakCount(10_000, atLeast: 200) : 200
    private static let width = 200

    /// Through HTTP. Most requests are over the limit of one session, so they are refused before anyone judges them.
    @Test func `five guesses count at two servers`() async throws {
        let folder = try SoakStage.makeFolder()
        let opened = try SoakStore.postgresql.open(in: folder)
        let stage = try SoakStage(opened, in: folder, servers: 2, behindNginx: true, sessions: true)
        try await stage.start()
        let random = SoakRandom(seed: TestTier.soakSeed)
        let tally = SoakPhoneTally()
        var owner = try SoakPhone(0, stage.url, random, SoakPatience(random), tally)
        try await owner.logIn()
        let phone = owner
        let before = try opened.sessions().revision
        try await Self.guess("\(Self.count) wrong PINs at two servers") { number in
            let server = stage.servers[number % stage.servers.count].url
            return [try await phone.tryOnce(Secret(RandomBytes.make(32)), at: server)]
        }
        #expect(try opened.sessions().revision == before + SoakPhoneBook.tries)
        // The right PIN does not help any more.
        let right = try #require(phone.pin)
        var verdict = "none"
        for _ in 0..<100 {
            verdict = try await phone.tryOnce(right, at: stage.servers[0].url)
            guard ["429", "use_dpop_nonce"].contains(verdict) else { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(verdict == "insufficient_user_authentication")
        #expect(phone.book.complaints == [])
        try await stage.stop()
    }

    /// Without HTTP and its limits: each guess comes again with a newer nonce until it is judged.
    @Test func `five guesses count without limits`() async throws {
        let pair = try SessionFlowPair()
        let phone = try await pair.begin()
        try await Self.guess("\(Self.count) wrong PINs at two stores of one database") { number in
            var verdicts: [String] = []
            repeat {
                verdicts.append(try await pair.tryPIN(Secret(RandomBytes.make(32)), of: phone, at: number))
            } while verdicts.last == "use_dpop_nonce" || verdicts.last == Self.crowdedStore
            return verdicts
        }
        #expect(pair.counted.now == SoakPhoneBook.tries)
        await pair.close()
    }

    /// What a guess is told that found no place in the store in time, or lost its row to others a hundred times. It is
    /// not counted, and comes again.
    private static let crowdedStore = "the store does not respond: try again"

    /// Makes all guesses, `width` at a time, and checks their verdicts. Where the limit of a session holds guesses
    /// back, more follow until the session is locked out.
    private static func guess(
        _ title: String, _ verdicts: @escaping @Sendable (Int) async throws -> [String]
    ) async throws {
        let verdictCounts = VerdictCounts()
        let next = SoakCount()
        let progress = SoakProgress(title)
        let deadline = ContinuousClock.now + .seconds(300)
        let line: @Sendable () -> String = { "\(verdictCounts.all.sorted { $0.key < $1.key })" }
        try await progress.during(line) {
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<min(Self.width, Self.count) {
                    group.addTask {
                        while case let number = next.take(), number < Self.count || !verdictCounts.isLocked {
                            if number >= Self.count { try await Task.sleep(for: .milliseconds(500)) }
                            guard ContinuousClock.now < deadline else { return }
                            let new = try await verdicts(number)
                            verdictCounts.add(new)
                        }
                    }
                }
            }
        }
        progress.say(line())
        let all = verdictCounts.all
        #expect(all.values.reduce(0, +) >= Self.count)
        for left in 1..<SoakPhoneBook.tries { #expect(all["wrong_pin \(left)"] == 1) }
        let others = all.filter { !$0.key.hasPrefix("wrong_pin") || $0.key == "wrong_pin 0" }
        let harmless: Set = ["insufficient_user_authentication", "use_dpop_nonce", "429", Self.crowdedStore]
        #expect(Set(others.keys).isSubset(of: harmless))
        // The fifth, and all that came after it.
        #expect(all["insufficient_user_authentication"] ?? 0 > 0)
    }
}

/// How often each verdict came.
private final class VerdictCounts: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    var all: [String: Int] { self.counts.withLock { $0 } }
    var isLocked: Bool { self.counts.withLock { $0["insufficient_user_authentication"] != nil } }

    func add(_ verdicts: [String]) {
        self.counts.withLock { counts in for verdict in verdicts { counts[verdict, default: 0] += 1 } }
    }
}
