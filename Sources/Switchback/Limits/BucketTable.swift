/// The buckets of one limit, for all threads.
import Synchronization

final class BucketTable<Key: Hashable & Sendable>: Sendable {
    private let buckets: Mutex<TokenBuckets<Key>>

    init(_ rate: Rate) { self.buckets = Mutex(TokenBuckets(rate)) }

    func take(_ key: Key, at now: Duration, count: Int = 1, leaving reserve: Int = 0) -> TokenVerdict {
        self.buckets.withLock { $0.take(key, at: now, count: count, leaving: reserve) }
    }

    /// How many tokens are missing in this bucket.
    func used(_ key: Key, at now: Duration) -> Int { self.buckets.withLock { $0.used(key, at: now) } }
}
