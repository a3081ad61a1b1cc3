import Base
import JOSE
import KeyFiles
import KeyRing
import Logins
import Synchronization
import TestSupport

/// Servers that share a store, in a time that the test moves. While one of them waits for the store, the others go on.
final class RingWorld {
    struct Signature {
        let keyID: String
        let at: Timestamp
    }

    struct ServedSet {
        let keyIDs: Set<String>
        let at: Timestamp
        /// For how long readers keep it.
        let lifetime: Duration
    }

    final class Server {
        let skew: Duration
        var keeper: KeyRingKeeper
        var stoppedUntil: Timestamp
        /// It may sign meanwhile.
        var isReading = false

        init(skew: Duration, keeper: KeyRingKeeper, at now: Timestamp) {
            self.skew = skew
            self.keeper = keeper
            self.stoppedUntil = now
        }
    }

    static let start = Timestamp(seconds: 1_800_000_000)
    static let policy = RingPolicy(
        [RingPolicy.Chain(RingPolicy.Slot(.assertion), .p256, algorithm: nil)], rotateEvery: .seconds(300),
        publishFor: .seconds(60))
    static let slot = RingPolicy.Slot(.assertion)
    static let fileKeyID = "file"

    let clock = RingClock(RingWorld.start)
    let store: PlayedStore
    var random: SplitMix64
    var servers: [Server] = []
    var serverKeys = [Secret([UInt8](repeating: 1, count: 32))]
    var signatures: [Signature] = []
    var sets: [ServedSet] = []
    let events = RingEvents()
    /// The depth of waits inside waits.
    private var depth = 0

    /// `strangers` is what the store knows of other servers at first.
    init(seed: UInt64, servers count: Int, strangers: Bool? = false) {
        self.random = SplitMix64(seed: seed)
        self.store = PlayedStore()
        self.store.strangers = strangers
        for _ in 0..<count {
            let skew = Duration.milliseconds(Int.random(in: -1500...1500, using: &self.random))
            self.servers.append(
                Server(skew: skew, keeper: self.makeKeeper(skew), at: self.clock.now))
        }
    }

    func makeKeeper(_ skew: Duration) -> KeyRingKeeper {
        let clock = self.clock
        return KeyRingKeeper(
            Self.policy, of: [.assertion, .signing], store: self.store, serverKeys: self.serverKeys,
            now: { clock.now + skew }, uptime: { clock.now - Self.start }, observe: self.events.note)
    }

    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &self.random) == 0 }

    /// Every server that is not stopped does what is due, in any order. Time goes on by at most three seconds.
    func step() async {
        self.clock.advance(by: .milliseconds(Int.random(in: 500...3000, using: &self.random)))
        for server in self.servers.shuffled(using: &self.random) where server.stoppedUntil <= self.clock.now {
            await self.act(server)
        }
    }

    /// So many steps. At the end every server has just read.
    func run(_ steps: Int) async {
        for _ in 0..<steps { await self.step() }
        for server in self.servers { await server.keeper.read() }
    }

    private func act(_ server: Server) async {
        if server.keeper.isDue, !server.isReading {
            server.isReading = true
            await self.read(server)
            server.isReading = false
        }
        guard server.stoppedUntil <= self.clock.now else { return }
        let signer = server.keeper.signer(in: Self.slot, .es256)
        self.signatures.append(Signature(keyID: signer?.keyID ?? Self.fileKeyID, at: self.clock.now))
        guard self.chance(3), server.keeper.isFresh, let set = await server.keeper.freshKeySet(.assertion) else {
            return
        }
        self.sets.append(
            ServedSet(
                keyIDs: Set(set.keys.compactMap(\.keyID) + [Self.fileKeyID]), at: self.clock.now,
                lifetime: Self.policy.keySetLifetime))
    }

    /// The store may answer late, before it does what it was asked for or after. Now and then the server is stopped
    /// meanwhile.
    private func read(_ server: Server) async {
        self.depth += 1
        defer { self.depth -= 1 }
        guard self.depth < 3, self.chance(6) else { return await server.keeper.read() }
        let pause = Duration.milliseconds(Int.random(in: 500...60_000, using: &self.random))
        let end = self.clock.now + pause
        server.stoppedUntil = end
        self.store.hold { [unowned self] in
            while self.clock.now < end { await self.step() }
        }
        await server.keeper.read()
        self.store.hold(nil)
    }

    /// Runs a server without automatic keys for some steps. It reads the ring once, at its start.
    func playStranger(for steps: Int) async {
        let clock = self.clock
        let keeper = KeyRingKeeper(
            RingPolicy([], rotateEvery: .seconds(300), publishFor: .seconds(60)), of: [], store: self.store,
            serverKeys: self.serverKeys, now: { clock.now }, uptime: { clock.now - Self.start })
        await keeper.read()
        self.store.strangers = true
        for server in self.servers { server.keeper.noteStrangers() }
        for _ in 0..<steps {
            await self.step()
            for server in self.servers { server.keeper.noteStrangers() }
            let keyIDs = Set(keeper.keySet(.assertion).keys.compactMap(\.keyID) + [Self.fileKeyID])
            self.sets.append(
                ServedSet(keyIDs: keyIDs, at: clock.now, lifetime: .seconds(300)))
        }
        self.store.strangers = false
    }

    func restart(_ server: Server) { server.keeper = self.makeKeeper(server.skew) }
}

/// The time of a world.
final class RingClock: Sendable {
    private let time: Mutex<Timestamp>

    init(_ start: Timestamp) { self.time = Mutex(start) }

    var now: Timestamp { self.time.withLock { $0 } }
    func advance(by duration: Duration) { self.time.withLock { $0 = $0 + duration } }
}

/// What the servers of a world have reported.
final class RingEvents: Sendable {
    private let events = Mutex<[KeyRingEvent]>([])

    @Sendable func note(_ event: KeyRingEvent) { self.events.withLock { $0.append(event) } }

    /// What the servers have said of others, in order.
    var strangers: [Bool] {
        self.events.withLock { events in
            events.compactMap { if case .strangers(let isThere) = $0 { isThere } else { nil } }
        }
    }

    /// How often a server has found that a row was put back.
    var restoreCount: Int {
        self.events.withLock { events in
            events.filter { if case .restored = $0 { true } else { false } }.count
        }
    }
}

/// A store whose answers can be held, whose row can be put back, and that can be gone.
final class PlayedStore: KeyRingStore, @unchecked Sendable {
    var row: StoredKeyRing?
    private(set) var history: [StoredKeyRing] = []
    var isGone = false
    var refusesWrites = false
    var strangers: Bool? = false
    private var pause: (() async -> Void)?
    private var isBeforeWrite = false

    var hasStrangers: Bool? { self.strangers }

    /// Calls this once, at the next write, or else at the next reading.
    func hold(_ pause: (() async -> Void)?) { self.pause = pause }

    private func wait() async {
        guard let pause = self.pause else { return }
        self.pause = nil
        await pause()
    }

    func loadKeyRing() async throws(StoreError) -> StoredKeyRing? {
        if self.isGone { throw .unavailable }
        let row = self.row
        self.isBeforeWrite.toggle()
        if self.isBeforeWrite { await self.wait() }
        return row
    }

    func storeKeyRing(_ row: StoredKeyRing, after former: Int64?) async throws(StoreError) -> Bool {
        await self.wait()
        if self.isGone || self.refusesWrites { throw .unavailable }
        guard self.row?.version == former else { return false }
        self.row = row
        self.history.append(row)
        return true
    }
}
