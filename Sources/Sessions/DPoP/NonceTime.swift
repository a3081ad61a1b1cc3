import Base
import Synchronization

/// The time of the nonces that this process gives out: its clock, or later if another server's clock is ahead.
///
/// A proof that was refused because its nonce is not newer than the last attempt's (`SessionError.staleNonce`) gets a
/// nonce that is. That attempt may have had a nonce of a server whose clock is ahead by up to `DPoPNonce.leeway`;
/// without this, no PIN could be tried until our clock has passed it.
final class NonceTime: Sendable {
    private let latest = Atomic<Int64>(0)

    /// Makes every later nonce newer than one of this time.
    func pass(_ time: Timestamp) { self.latest.max(time.milliseconds, ordering: .relaxed) }

    /// Never later than every server accepts.
    func time(at now: Timestamp) -> Timestamp {
        let earliest = Timestamp(milliseconds: self.latest.load(ordering: .relaxed)) + .milliseconds(1)
        return min(max(now, earliest), now + DPoPNonce.leeway)
    }
}
