// Comparisons of untrusted bytes and text with our own.

import CSSL

/// Returns whether the bytes are the same. The time taken reveals only whether the lengths are equal.
package func equalInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return OpenSSLMemory.isEqual(one, other)
}

/// Compares two texts in the same way.
package func equalInConstantTime(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    return one.withBytes { one in other.withBytes { other in OpenSSLMemory.isEqual(one, other) } }
}

/// Returns whether two texts are the same, byte for byte.
///
/// Swift's `==` does something else: it compares by Unicode canonical equivalence, and U+212A KELVIN SIGN is
/// canonically equivalent to the letter K. The specifications compare code point by code point (RFC 8259 §8.3, RFC
/// 7519 §4.1.1).
package func identical(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    return one.withBytes { one in other.withBytes { other in haveSameBytes(one, other) } }
}

/// Compares eight bytes at a time, because a byte iterator takes ten times as long. Both must have the same length.
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

/// libcrypto's functions for memory that contains secrets.
package enum OpenSSLMemory {
    /// Overwrites memory, so that nothing can be read from it later. No compiler removes this call.
    package static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        OPENSSL_cleanse(memory.baseAddress, memory.count)
    }

    /// Both arrays must have the same length.
    static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        CRYPTO_memcmp(one, other, min(one.count, other.count)) == 0
    }

    /// Compares memory. Both must have the same length.
    static func isEqual(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        CRYPTO_memcmp(one.baseAddress, other.baseAddress, min(one.count, other.count)) == 0
    }
}
