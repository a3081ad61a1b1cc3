import Base
import Cryptography
import JOSE
import KeyFiles
import Logins
import Synchronization

/// What one server knows of the ring, and what it may use of it now.
///
/// It reads the row often. An automatic key signs only while the last reading is young; otherwise the key in the file
/// signs, which every server publishes always. So no signature waits for the store, and none is made with a key that
/// others may not know. A key set is served from a young reading or not at all.
package final class KeyRingKeeper: Sendable {
    private struct State {
        var policy: RingPolicy
        var serverKeys: [Secret]
        var ring: KeyRing?
        /// When the last successful reading began. Nil before the first one.
        var readAt: Duration?
        /// The highest version that was read or written, with the digest of its row.
        var highest: (version: Int64, digest: [UInt8])?
        /// The row that was opened or written last, which most readings find again.
        var opened: (row: StoredKeyRing, content: OpenedRow)?
        var failure: String?
        var strangers: Strangers
        var reading: Task<Void, Never>?
        var signers: [String: JWTSigner] = [:]
    }

    /// Whether another server does not know the ring. Its key sets lack keys, and readers keep them for a while.
    private enum Strangers: Equatable {
        /// There can be none.
        case impossible
        /// Nobody has looked yet.
        case unknown
        case present
        /// None has been seen since then.
        case gone(since: Duration)
    }

    private static let unavailable = OperatorError("the store does not respond")
    /// How often a reading tries again after another server was faster.
    private static let attempts = 8
    /// How many signers are kept. There are only as many as keys and algorithms.
    private static let signerLimit = 64

    /// The uses whose keys this server rotates. Without any it is passive: it publishes what it finds, and writes
    /// nothing.
    package let uses: Set<KeyUse>
    private let store: any KeyRingStore
    private let now: @Sendable () -> Timestamp
    /// Time since some start, which goes on while the process is stopped, and does not jump.
    private let uptime: @Sendable () -> Duration
    private let observe: @Sendable (KeyRingEvent) -> Void
    private let make: @Sendable (RingPolicy.Chain) throws(OperatorError) -> SigningKey
    private let state: Mutex<State>

    package init(
        _ policy: RingPolicy, of uses: Set<KeyUse>, store: any KeyRingStore, serverKeys: [Secret],
        now: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> Duration,
        make: @escaping @Sendable (RingPolicy.Chain) throws(OperatorError) -> SigningKey = {
            chain throws(OperatorError) in try chain.makeKey()
        },
        observe: @escaping @Sendable (KeyRingEvent) -> Void = { _ in }
    ) {
        self.uses = uses
        self.store = store
        self.now = now
        self.uptime = uptime
        self.make = make
        self.observe = observe
        self.state = Mutex(
            State(
                policy: policy, serverKeys: serverKeys,
                strangers: store.hasStrangers == false ? .impossible : .unknown))
    }

    /// Takes what a new configuration says. Keys that it does not trust are gone at once, and the rest counts from the next
    /// reading on.
    package func renew(_ policy: RingPolicy, serverKeys: [Secret]) {
        self.state.withLock { state in
            state.policy = policy
            state.serverKeys = serverKeys
            state.opened = nil
            state.ring = state.ring?.trusted(by: policy)
        }
    }

    package var isPassive: Bool { self.uses.isEmpty }

    package var policy: RingPolicy { self.state.withLock { $0.policy } }

    // MARK: - What may be used now

    /// Returns the signer with the automatic key that is active in this slot. Nil if the key in the file has to sign:
    /// no automatic key is active yet, the last reading is too old, or another server does not know the ring.
    package func signer(in slot: RingPolicy.Slot, _ algorithm: SignatureAlgorithm) -> JWTSigner? {
        let uptime = self.uptime()
        return self.state.withLock { state -> JWTSigner? in
            guard self.uses.contains(slot.use), Self.isFresh(state, at: uptime),
                Self.isAlone(state, at: uptime),
                let key = state.ring?.active(in: slot, at: self.now())
            else { return nil }
            let name = "\(key.key.keyID) \(algorithm.rawValue)"
            if let signer = state.signers[name] { return signer }
            guard key.key.fits(algorithm),
                let signer = try? JWTSigner(key: key.key.key, algorithm: algorithm, keyID: key.key.keyID)
            else { return nil }
            if state.signers.count >= Self.signerLimit { state.signers = [:] }
            state.signers[name] = signer
            return signer
        }
    }

    /// The automatic keys of a key set, as read last.
    package func keySet(_ use: KeyUse) -> JWKSet {
        guard let ring = self.ring else { return JWKSet([]) }
        return JWKSet(ring.published(use, at: self.now()).map(\.key.jwk))
    }

    /// The same from a young reading. Reads again if the last one is too old; nil if that fails. A passive server has
    /// read once, because no server uses automatic keys while it is there.
    package func freshKeySet(_ use: KeyUse) async -> JWKSet? {
        guard self.isPassive ? self.hasRead : await self.refresh() else { return nil }
        return self.keySet(use)
    }

    /// Returns whether the last reading is young. Reads again if it is not.
    package func refresh() async -> Bool {
        if self.isFresh { return true }
        await self.read()
        return self.isFresh
    }

    package var isFresh: Bool {
        let uptime = self.uptime()
        return self.state.withLock { Self.isFresh($0, at: uptime) }
    }

    private var hasRead: Bool { self.state.withLock { $0.readAt != nil } }

    /// Whether the row should be read now.
    package var isDue: Bool {
        let uptime = self.uptime()
        return self.state.withLock { state in
            guard let readAt = state.readAt else { return true }
            return !self.isPassive && uptime - readAt >= state.policy.readingInterval
        }
    }

    private static func isFresh(_ state: State, at uptime: Duration) -> Bool {
        state.readAt.map { uptime - $0 < state.policy.readingLifetime } ?? false
    }

    /// Whether every key set that readers may have is of a server that knows the ring.
    private static func isAlone(_ state: State, at uptime: Duration) -> Bool {
        switch state.strangers {
        case .impossible: true
        case .unknown, .present: false
        case .gone(let since): uptime - since >= RingPolicy.otherKeySetLifetime
        }
    }

    /// Why this server is not ready; nil if it is.
    package var obstacle: String? {
        guard !self.isFresh else { return nil }
        return "the automatic keys cannot be read: " + (self.state.withLock { $0.failure } ?? "not read yet")
    }

    /// What was read last, for metrics and reports.
    package var ring: KeyRing? { self.state.withLock { $0.ring } }

    // MARK: - Reading

    /// Reads the row, and writes what is due. Callers at the same time share one reading.
    package func read() async {
        let task = self.state.withLock { state in
            if let reading = state.reading { return reading }
            let reading = Task {
                await self.readOnce()
                self.state.withLock { $0.reading = nil }
            }
            state.reading = reading
            return reading
        }
        await task.value
    }

    /// Notes whether other servers know the ring. Call it often, because it costs nothing.
    package func noteStrangers() {
        guard !self.isPassive, let hasStrangers = self.store.hasStrangers else { return }
        let uptime = self.uptime()
        let isNew = self.state.withLock { state -> Bool in
            let former = state.strangers
            switch (former, hasStrangers) {
            case (.impossible, false), (.gone, false): break
            case (_, true): state.strangers = .present
            case (.unknown, false), (.present, false): state.strangers = .gone(since: uptime)
            }
            return state.strangers != former && (hasStrangers || former == .present)
        }
        if isNew { self.observe(.strangers(hasStrangers)) }
    }

    private func readOnce() async {
        self.noteStrangers()
        let startedAt = self.uptime()
        do throws(OperatorError) {
            var events: [KeyRingEvent] = []
            for _ in 0..<Self.attempts {
                guard let (ring, row) = try await self.attempt(&events) else { continue }
                let hasFailed = self.state.withLock { state in
                    state.ring = ring?.trusted(by: state.policy)
                    state.readAt = startedAt
                    if let row { state.highest = (row.version, Digest.sha256.hash(row.bytes)) }
                    defer { state.failure = nil }
                    return state.failure != nil
                }
                if hasFailed, !self.isPassive { events.insert(.working, at: 0) }
                for event in events { self.observe(event) }
                return
            }
            throw OperatorError("other servers change them all the time")
        } catch {
            let isNew = self.state.withLock { state in
                defer { state.failure = error.description }
                return state.failure != error.description
            }
            if isNew, !self.isPassive { self.observe(.failing(error.description)) }
        }
    }

    /// Reads once, and writes once if something is due. Nil if another server has written meanwhile.
    private func attempt(
        _ events: inout [KeyRingEvent]
    ) async throws(OperatorError) -> (ring: KeyRing?, row: StoredKeyRing?)? {
        events = []
        let (policy, serverKeys, highest, former, isFirst) = self.state.withLock {
            ($0.policy, $0.serverKeys, $0.highest, $0.ring, $0.readAt == nil)
        }
        let row: StoredKeyRing?
        do throws(StoreError) { row = try await self.store.loadKeyRing() } catch {
            throw Self.unavailable
        }
        if self.isPassive { return (row.flatMap { KeyRingSeal.open($0, under: serverKeys).ring }, row) }
        let stored = try self.opened(row, under: serverKeys, policy)
        var cause = highest.flatMap { Self.contradiction(of: row, to: $0) }
        if cause == nil, stored.isDamaged { cause = "the row cannot be opened" }
        let now = self.now()
        if isFirst, row != nil, cause == nil, now - stored.ring.confirmedAt >= policy.confirmationLifetime {
            cause = "no server has used the row since \(stored.ring.confirmedAt.wholeSecondRFC3339)"
        }
        // The first keys wait until every server knows that there will be some.
        if row == nil, cause == nil, policy.chains.isEmpty || self.store.hasStrangers != false { return (nil, nil) }
        // Nobody has authenticated the version of a row that does not open.
        let floor = max(highest?.version ?? 0, stored.ring.version)
        let next: KeyRing?
        do throws(OperatorError) {
            let ring = cause == nil ? stored.ring : stored.ring.adding(former)
            next = try ring.next(
                policy, cause == nil ? .current : .restored, floor: floor,
                reseals: stored.needsSealing, at: now, make: self.make)
        } catch {
            throw OperatorError("no key can be made: \(error)")
        }
        guard let next else { return (stored.ring, row) }
        guard let newRow = KeyRingSeal.seal(next, under: serverKeys) else {
            throw OperatorError("there is no server key")
        }
        do throws(StoreError) {
            guard try await self.store.storeKeyRing(newRow, after: row?.version) else { return nil }
        } catch {
            // What was read is right without the write, unless it must not be used as it is.
            guard cause == nil else { throw Self.unavailable }
            return (stored.ring, row)
        }
        self.remember(newRow, OpenedRow(ring: next, needsSealing: false, isDamaged: false), under: serverKeys)
        if let cause { events.append(.restored(cause)) }
        let knownIDs = Set((stored.ring.keys + (former?.keys ?? [])).map(\.key.keyID))
        for key in next.keys where !knownIDs.contains(key.key.keyID) {
            events.append(.made(key.slot.use, keyID: key.key.keyID, activeAt: key.activeAt))
        }
        return (next, newRow)
    }

    /// Returns why the row cannot follow the one with the highest version. Nil if it can.
    private static func contradiction(
        of row: StoredKeyRing?, to highest: (version: Int64, digest: [UInt8])
    ) -> String? {
        guard let row else { return "the row is gone" }
        if row.version < highest.version {
            return "the store has version \(row.version) after version \(highest.version)"
        }
        guard row.version == highest.version, Digest.sha256.hash(row.bytes) != highest.digest else { return nil }
        return "the store has another version \(row.version) than before"
    }

    /// A row that cannot be opened counts as an empty one from before. If it was sealed by a server key that we do not
    /// have, it may be ours that is wrong, unless the operator says that keys before some time are not trusted.
    private func opened(
        _ row: StoredKeyRing?, under serverKeys: [Secret], _ policy: RingPolicy
    ) throws(OperatorError) -> OpenedRow {
        guard let row else { return OpenedRow(ring: KeyRing.empty, needsSealing: false, isDamaged: false) }
        if let last = self.state.withLock({ $0.opened }), last.row == row { return last.content }
        switch KeyRingSeal.open(row, under: serverKeys) {
        case .ring(let ring, let isSealedByFirst):
            let content = OpenedRow(ring: ring, needsSealing: !isSealedByFirst, isDamaged: false)
            self.remember(row, content, under: serverKeys)
            return content
        case .sealedByAnother where policy.trustedSince == nil:
            throw OperatorError("the row was sealed by a server key that is not in server_keys")
        case .sealedByAnother, .damaged:
            return OpenedRow(ring: KeyRing.empty, needsSealing: false, isDamaged: true)
        }
    }

    /// Unless the server keys have changed meanwhile.
    private func remember(_ row: StoredKeyRing, _ content: OpenedRow, under serverKeys: [Secret]) {
        self.state.withLock { state in
            if state.serverKeys == serverKeys { state.opened = (row, content) }
        }
    }

    private struct OpenedRow {
        let ring: KeyRing
        let needsSealing: Bool
        let isDamaged: Bool
    }
}
