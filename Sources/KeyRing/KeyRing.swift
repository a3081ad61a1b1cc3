import Base
import JOSE
import KeyFiles

/// The keys that the servers of a store make, use and retire by themselves. A value: every step is a pure function, and
/// all its times are absolute and fixed when a key or its successor is made. So an older copy of it says nothing else
/// about a key, only less.
package struct KeyRing: Sendable {
    package struct Key: Sendable {
        package let slot: RingPolicy.Slot
        package let key: SigningKey
        package let madeAt: Timestamp
        package let activeAt: Timestamp
        /// When its successor becomes active. Nil while it has none.
        package internal(set) var retiredAt: Timestamp?
        /// When nobody needs it any more.
        package internal(set) var endsAt: Timestamp

        /// When it stops signing, whether it has a successor or not.
        package var signsUntil: Timestamp {
            let limit = self.endsAt - RingPolicy.retention
            return self.retiredAt.map { min($0, limit) } ?? limit
        }

        /// Nil after its end.
        package func phase(at now: Timestamp) -> KeySchedule.Phase? {
            if now >= self.endsAt { return nil }
            if now >= self.signsUntil { return .retired }
            return now >= self.activeAt ? .active : .published
        }
    }

    /// Raised by each write.
    package let version: Int64
    /// When a server has last said that it uses this row.
    package let confirmedAt: Timestamp
    package let keys: [Key]

    package init(version: Int64, confirmedAt: Timestamp, keys: [Key]) {
        self.version = version
        self.confirmedAt = confirmedAt
        self.keys = keys
    }

    /// The key that signs in this slot. Nil if none is active: then the key in the file signs.
    package func active(in slot: RingPolicy.Slot, at now: Timestamp) -> Key? {
        self.keys.filter { $0.slot == slot && $0.phase(at: now) == .active }.max { $0.activeAt < $1.activeAt }
    }

    /// The keys of a use that a key set has.
    package func published(_ use: KeyUse, at now: Timestamp) -> [Key] {
        self.keys.filter { $0.slot.use == use && $0.phase(at: now) != nil }
    }
}

// MARK: - The next version

extension KeyRing {
    /// What a server knows of the row beside its content.
    enum Standing: Equatable {
        /// It continues what this server, or one before it, has seen.
        case current
        /// It may come from a backup, or somebody has put an older copy back.
        case restored
    }

    /// A ring that has no row yet.
    static let empty = KeyRing(version: 0, confirmedAt: Timestamp(milliseconds: 0), keys: [])

    /// The most keys of one slot. More of them can only come from somebody who restores the row again and again.
    static let keyLimit = 24

    /// Returns this ring without the keys that were made before the operator trusts them.
    func trusted(by policy: RingPolicy) -> KeyRing {
        guard let trustedSince = policy.trustedSince else { return self }
        return KeyRing(
            version: self.version, confirmedAt: self.confirmedAt, keys: self.keys.filter { $0.madeAt >= trustedSince })
    }

    /// Returns this ring with the keys of another one that are not in it. After a restore they must still verify what
    /// they have signed.
    func adding(_ other: KeyRing?) -> KeyRing {
        let ids = Set(self.keys.map(\.key.keyID))
        let others = (other?.keys ?? []).filter { !ids.contains($0.key.keyID) }
        return KeyRing(version: self.version, confirmedAt: self.confirmedAt, keys: self.keys + others)
    }

    /// Returns the ring to store after this one, or nil if it can stay. `floor` is the highest version that the server
    /// has seen.
    ///
    /// After a restore all keys retire at once, and the keys in the files sign until new ones have been published.
    func next(
        _ policy: RingPolicy, _ standing: Standing = .current, floor: Int64 = 0, reseals: Bool = false,
        at now: Timestamp, make: (RingPolicy.Chain) throws(OperatorError) -> SigningKey
    ) throws(OperatorError) -> KeyRing? {
        var keys = self.trusted(by: policy).keys.filter { now < $0.endsAt }
        var isNew = keys.count != self.keys.count || reseals || standing == .restored
        if standing == .restored {
            for index in keys.indices { keys[index].retire(at: now) }
        }
        for chain in policy.chains {
            let current = keys.indices.filter { keys[$0].slot == chain.slot && keys[$0].retiredAt == nil }
                .max { keys[$0].activeAt < keys[$1].activeAt }
            let activeAt: Timestamp
            if let current {
                let due = keys[current].activeAt + policy.rotateEvery
                guard now >= keys[current].activeAt, now >= due - policy.publishing else { continue }
                activeAt = max(now + policy.publishing, due)
                keys[current].retire(at: activeAt)
            } else {
                activeAt = now + policy.firstPublishing
            }
            keys.append(
                Key(
                    slot: chain.slot, key: try make(chain), madeAt: now, activeAt: activeAt, retiredAt: nil,
                    endsAt: activeAt + policy.rotateEvery + policy.rotateEvery + RingPolicy.retention))
            let ofSlot = keys.indices.filter { keys[$0].slot == chain.slot }
            if ofSlot.count > Self.keyLimit, let oldest = ofSlot.min(by: { keys[$0].endsAt < keys[$1].endsAt }) {
                keys.remove(at: oldest)
            }
            isNew = true
        }
        guard isNew || now - self.confirmedAt >= policy.confirmationInterval else { return nil }
        return KeyRing(version: max(self.version, floor) + 1, confirmedAt: now, keys: keys)
    }
}

extension KeyRing.Key {
    /// Ends its signing at this time, unless it ends earlier.
    fileprivate mutating func retire(at time: Timestamp) {
        let retiredAt = self.retiredAt.map { min($0, time) } ?? time
        self.retiredAt = retiredAt
        self.endsAt = min(self.endsAt, retiredAt + RingPolicy.retention)
    }
}

extension RingPolicy.Chain {
    /// Makes a key of this chain. Its name is its thumbprint.
    package func makeKey() throws(OperatorError) -> SigningKey {
        guard let key = SigningKey(try PrivateKey.generate(self.kind), algorithm: self.algorithm) else {
            throw OperatorError("the key does not fit its algorithm")
        }
        return key
    }
}
