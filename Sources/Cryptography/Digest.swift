import Base

/// The SHA-2 digests that JOSE uses (FIPS 180-4).
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

/// The 32 bytes of a SHA-256 digest, as a value. Most are compared, cut short or copied at once, and need no array.
package struct DigestBytes: Sendable {
    package static let count = 32

    /// The bytes in the order of memory.
    @usableFromInline var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(_ fill: (UnsafeMutableRawBufferPointer) -> Void) { withUnsafeMutableBytes(of: &self.words, fill) }

    /// Inlinable, because a generic function of another module is many times slower.
    @inlinable package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: self.words, body)
    }

    /// Returns the first `count` bytes.
    package func array(_ count: Int = Self.count) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        self.withBytes { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        return bytes
    }
}

/// A digest may be a key, so it must not be printed.
extension DigestBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹digest›" }

    package var debugDescription: String { self.description }

    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
