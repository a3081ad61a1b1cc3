/// Comparisons of foreign bytes and text with our own.
import CSSL

/// Whether the bytes are the same, in a time that tells only whether the lengths are.
package func equalInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return OpenSSLMemory.isEqual(one, other)
}

/// The same for two texts.
package func equalInConstantTime(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    return one.withBytes { one in other.withBytes { other in OpenSSLMemory.isEqual(one, other) } }
}

/// Whether two texts are the same, byte for byte.
///
/// Swift's `==` is not that: it compares by Unicode canonical equivalence, and U+212A KELVIN SIGN is canonically
/// equivalent to the letter K. The specifications compare code point by code point (RFC 8259 §8.3, RFC 7519 §4.1.1).
package func identical(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    return one.withBytes { one in other.withBytes { other in haveSameBytes(one, other) } }
}

/// Eight at once, because an iterator of bytes takes ten times as long. Both must be of the same length.
package func haveSameBytes(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
    let (one, other) = (UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
    let count = min(one.count, other.count)
    var position = 0
    while position &+ 8 <= count {
        let word = one.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        guard word == other.loadUnaligned(fromByteOffset: position, as: UInt64.self) else { return false }
        position &+= 8
    }
    while position < count {
        guard one[position] == other[position] else { return false }
        position &+= 1
    }
    return true
}

/// What libcrypto does with memory that holds secrets.
package enum OpenSSLMemory {
    /// So that a later look at this memory tells nothing; no compiler takes it for useless.
    package static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        OPENSSL_cleanse(memory.baseAddress, memory.count)
    }

    /// Both arrays must be of the same length.
    static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        CRYPTO_memcmp(one, other, min(one.count, other.count)) == 0
    }

    /// The same for memory.
    static func isEqual(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        CRYPTO_memcmp(one.baseAddress, other.baseAddress, min(one.count, other.count)) == 0
    }
}
