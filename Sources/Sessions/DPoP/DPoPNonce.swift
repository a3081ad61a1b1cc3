import Base
import Synchronization

/// The nonces of DPoP proofs (RFC 9449 §8). We store none: a nonce carries the time at which it was made.
///
///     base64url(milliseconds since 1970 as 8 bytes ‖ HMAC(nonce key, those 8 bytes)[0..<16])
///
/// So every server knows every nonce, and the freshness of a proof never depends on the clock of a phone.
package enum DPoPNonce {
    static let lifetime = Duration.seconds(5 * 60)
    /// How far the clocks of two servers may differ.
    static let leeway = Duration.seconds(60)

    private static let codeByteCount = 16
    private static let textByteCount = 32

    package static func make(at now: Timestamp, under key: SessionKey) -> String {
        let time = withUnsafeBytes(of: now.milliseconds.bigEndian) { Array($0) }
        return Base64URL.encode(time + Self.code(time, key))
    }

    /// Returns when the nonce was made, or nil if it is not ours or too old.
    static func time(of text: String, at now: Timestamp, keys: SessionKeys) -> Timestamp? {
        guard text.utf8.count == Self.textByteCount, let bytes = Base64URL.decode(text) else { return nil }
        let (time, code) = (Array(bytes.prefix(8)), Array(bytes.dropFirst(8)))
        guard keys.all.contains(where: { equalInConstantTime(Self.code(time, $0), code) }) else { return nil }
        let madeAt = Timestamp(milliseconds: Int64(bitPattern: time.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }))
        return now <= madeAt + Self.lifetime && madeAt <= now + Self.leeway ? madeAt : nil
    }

    private static func code(_ time: [UInt8], _ key: SessionKey) -> [UInt8] {
        key.nonce.code { $0.append(time) }.array(Self.codeByteCount)
    }
}

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
