import Synchronization

/// Token buckets by key, as a value that is given the time.
///
/// A bucket is one number: the time at which it is full again (virtual scheduling, ITU-T I.371). The table is bounded.
/// Each take checks a few other buckets and drops those that are full again, so no sweep ever delays a request.
package struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    package typealias Verdict = RateLimitDecision

    private struct Bucket {
        let key: Key
        /// When it is full again, counted from an arbitrary point.
        var fullAt: Duration
    }

    /// A take sweeps this many buckets, more than it can add.
    private static var slice: Int { 2 }

    private let interval: Duration
    /// The time from an empty bucket to a full one. Computed once, because the multiplication is expensive.
    private let room: Duration
    private let capacity: Int
    private var buckets: [Bucket] = []
    private var places: [Key: Int] = [:]
    /// Where the sweep continues.
    private var hand = 0

    /// Keeps at most `capacity` buckets that are not full.
    package init(_ rate: Rate, capacity: Int = 100_000) {
        self.interval = rate.interval
        self.room = rate.interval * rate.burst
        self.capacity = max(1, capacity)
    }

    package var count: Int { self.buckets.count }

    /// Takes `count` tokens if the bucket has them and at least `reserve` tokens are left.
    package mutating func take(_ key: Key, at now: Duration, count: Int = 1, leaving reserve: Int = 0) -> Verdict {
        self.sweep(at: now)
        let before = max(self.places[key].map { self.buckets[$0].fullAt } ?? now, now)
        // A bucket never has more than its burst, so nothing may cost more.
        let fullAt = before + (count == 1 ? self.interval : min(self.interval * count, self.room))
        let room = reserve == 0 ? self.room : self.room - self.interval * reserve
        guard fullAt - now <= room else { return .refused(retryAfter: fullAt - now - room) }
        self.set(key, fullAt: fullAt)
        return .allowed
    }

    /// Returns how many tokens are missing.
    package func used(_ key: Key, at now: Duration) -> Int {
        guard let place = self.places[key], self.buckets[place].fullAt > now else { return 0 }
        return Int(((self.buckets[place].fullAt - now) / self.interval).rounded(.up))
    }

    private mutating func set(_ key: Key, fullAt: Duration) {
        if let place = self.places[key] {
            self.buckets[place].fullAt = fullAt
            return
        }
        // A caller gains nothing by overflowing the table with keys: each key would have had a bucket of its own.
        if self.buckets.count >= self.capacity { self.remove(self.hand % self.buckets.count) }
        self.places[key] = self.buckets.count
        self.buckets.append(Bucket(key: key, fullAt: fullAt))
    }

    private mutating func sweep(at now: Duration) {
        for _ in 0..<min(Self.slice, self.buckets.count) {
            if self.hand >= self.buckets.count { self.hand = 0 }
            if self.buckets[self.hand].fullAt <= now {
                self.remove(self.hand)
            } else {
                self.hand += 1
            }
            if self.buckets.isEmpty { return }
        }
    }

    /// Moves the last bucket into the place of the removed one.
    private mutating func remove(_ place: Int) {
        self.places[self.buckets[place].key] = nil
        let last = self.buckets.removeLast()
        guard place < self.buckets.count else { return }
        self.buckets[place] = last
        self.places[last.key] = place
    }
}

/// The result of a take.
package enum RateLimitDecision: Equatable, Sendable {
    case allowed
    /// Not now; the next one is allowed after this long.
    case refused(retryAfter: Duration)
}

/// The buckets of one limit, shared by all threads.
final class BucketTable<Key: Hashable & Sendable>: Sendable {
    private let buckets: Mutex<TokenBuckets<Key>>

    init(_ rate: Rate) { self.buckets = Mutex(TokenBuckets(rate)) }

    func take(_ key: Key, at now: Duration, count: Int = 1, leaving reserve: Int = 0) -> RateLimitDecision {
        self.buckets.withLock { $0.take(key, at: now, count: count, leaving: reserve) }
    }

    /// Returns how many tokens are missing in this bucket.
    func used(_ key: Key, at now: Duration) -> Int { self.buckets.withLock { $0.used(key, at: now) } }
}

/// How often something is allowed: `burst` times at once, and once more each `interval`.
package struct Rate: Equatable, Sendable {
    /// How many are allowed at once.
    package let burst: Int
    /// The time after which one more is allowed.
    package let interval: Duration

    /// Nil unless both are above zero.
    package init?(burst: Int, interval: Duration) {
        guard burst > 0, interval > .zero else { return nil }
        self.burst = burst
        self.interval = interval
    }

    /// Nil for zero, which is no limit.
    package init?(perMinute count: Int) {
        guard count > 0 else { return nil }
        self.init(burst: count, interval: .seconds(60) / count)
    }

    /// Returns this rate divided by `divisor`, with a burst of at least one.
    func part(_ divisor: Int) -> Rate {
        Rate(burst: max(1, self.burst / divisor), interval: self.interval * divisor) ?? self
    }
}
