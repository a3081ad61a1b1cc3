/// The SHA-2 digests that JOSE uses (FIPS 180-4).
import Base

package enum Digest: Sendable, CaseIterable {
    case sha256
    case sha384
    case sha512

    package var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    package func hash(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256:
            var digest = OpenSSLSHA256()
            bytes.withUnsafeBytes { digest.update($0) }
            return digest.finish().array()
        case .sha384, .sha512: return OpenSSLDigest.hash(bytes, self)
        }
    }
}

/// The 32 bytes of a SHA-256 digest, in a value: most are compared, cut short or put somewhere else at once, and need no
/// array for that.
package struct DigestBytes: Sendable {
    package static let count = 32

    /// As they lie in memory.
    @usableFromInline var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(_ fill: (UnsafeMutableRawBufferPointer) -> Void) { withUnsafeMutableBytes(of: &self.words, fill) }

    /// Inlinable, because a generic function of another module is many times slower.
    @inlinable package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: self.words, body)
    }

    /// The first so many.
    package func array(_ count: Int = Self.count) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        self.withBytes { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        return bytes
    }
}

/// It may be a key.
extension DigestBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹digest›" }

    package var debugDescription: String { self.description }

    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
