import Base
import JOSE
import KeyFiles
import TestSupport
import Testing

@testable import KeyRing

/// The next version of a ring is a pure function of the ring, the policy and the time.
@Suite struct KeyRingTests {
    static let start = Timestamp(seconds: 1_800_000_000)
    static let day = 86_400
    static let slot = RingPolicy.Slot(.access)
    static let policy = RingPolicy(
        [RingPolicy.Chain(Self.slot, .p256, algorithm: nil)], rotateEvery: .seconds(30 * Self.day),
        publishFor: .seconds(Self.day))

    static func next(_ ring: KeyRing, _ seconds: Int, _ standing: KeyRing.Standing = .current) throws -> KeyRing? {
        try ring.next(Self.policy, standing, at: Self.start + .seconds(seconds)) { chain throws(OperatorError) in
            try chain.makeKey()
        }
    }

    /// When a key is in which phase: seconds after the first one was made.
    static let life: [(seconds: Int, phases: [KeySchedule.Phase])] = [
        (0, [.published]),
        (day * 5 / 4 - 1, [.published]),
        (day * 5 / 4, [.active]),
        (day * 30 - 1, [.active]),
        // The successor is published a day and a quarter before it is due.
        (day * 30, [.active, .published]),
        (day * 30 + day * 5 / 4 - 1, [.active, .published]),
        (day * 30 + day * 5 / 4, [.retired, .active]),
        (day * 30 + day * 5 / 4 + 3599, [.retired, .active]),
        (day * 30 + day * 5 / 4 + 3600, [.active]),
    ]

    @Test func `a key is published, active, retired and gone at the times that were promised`() throws {
        var ring = KeyRing.empty
        var time = 0
        for row in Self.life {
            while time <= row.seconds {
                if let next = try Self.next(ring, time) { ring = next }
                time += time == row.seconds ? 1 : min(600, row.seconds - time)
            }
            let phases = ring.published(.access, at: Self.start + .seconds(row.seconds))
                .compactMap { $0.phase(at: Self.start + .seconds(row.seconds)) }
            #expect(phases == row.phases, "after \(row.seconds) s")
        }
    }

    @Test func `the row is written once an hour, to say that it is in use`() throws {
        let first = try #require(try Self.next(.empty, 0))
        #expect(try Self.next(first, 3599) == nil)
        let second = try #require(try Self.next(first, 3600))
        #expect(second.version == first.version + 1)
        #expect(second.keys.map(\.key.keyID) == first.keys.map(\.key.keyID))
    }

    @Test func `a restore retires every key at once, and the new one is published first`() throws {
        let first = try #require(try Self.next(.empty, 0))
        let second = try #require(try Self.next(first, 2 * Self.day, .restored))
        let now = Self.start + .seconds(2 * Self.day)
        #expect(second.keys.map { $0.phase(at: now) } == [.retired, .published])
        #expect(second.active(in: Self.slot, at: now) == nil)
    }

    @Test func `a key whose successor never comes stops by itself`() throws {
        let ring = try #require(try Self.next(.empty, 0))
        let key = try #require(ring.keys.first)
        #expect(key.phase(at: key.activeAt + .seconds(60 * Self.day) - .milliseconds(1)) == .active)
        #expect(key.phase(at: key.activeAt + .seconds(60 * Self.day)) == .retired)
        #expect(key.phase(at: key.activeAt + .seconds(60 * Self.day + 3600)) == nil)
    }

    @Test func `a slot never has more keys than the limit, however often a row is put back`() throws {
        var ring = KeyRing.empty
        for second in 0..<60 { ring = try #require(try Self.next(ring, second, .restored)) }
        #expect(ring.keys.count == KeyRing.keyLimit)
        #expect(ring.keys.contains { $0.phase(at: Self.start + .seconds(60)) == .published })
    }

    @Test func `a sealed ring opens to the same ring`() throws {
        let key = Secret([UInt8](repeating: 3, count: 32))
        let first = try #require(try Self.next(.empty, 0))
        let ring = try #require(try Self.next(first, 40 * Self.day))
        let row = try #require(KeyRingSeal.seal(ring, under: [key]))
        let other = Secret([UInt8](repeating: 4, count: 32))
        guard case .ring(let opened, isSealedByFirst: false) = KeyRingSeal.open(row, under: [other, key]) else {
            Issue.record("the second key does not open it")
            return
        }
        #expect(opened.version == ring.version && opened.confirmedAt == ring.confirmedAt)
        for (one, other) in zip(opened.keys, ring.keys) {
            #expect(one.key.keyID == other.key.keyID && one.slot == other.slot && one.madeAt == other.madeAt)
            #expect(one.activeAt == other.activeAt && one.retiredAt == other.retiredAt && one.endsAt == other.endsAt)
        }
    }

    @Test func `times that follow from publish_for leave room for a slow server`() {
        for seconds in [60, 300, 3600, 86_400, 604_800] {
            let policy = RingPolicy([], rotateEvery: .seconds(seconds * 3), publishFor: .seconds(seconds))
            // The last key set without a new key, and the time for which others keep it.
            #expect(policy.readingLifetime + policy.keySetLifetime <= policy.publishFor * 7 / 10)
            #expect(policy.confirmationInterval + policy.readingInterval <= policy.publishFor * 35 / 100)
            #expect(policy.confirmationInterval < policy.confirmationLifetime)
            #expect(policy.publishing > policy.publishFor)
            #expect(policy.firstPublishing > RingPolicy.otherKeySetLifetime)
        }
    }
}
