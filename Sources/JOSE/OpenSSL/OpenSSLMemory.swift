/// What libcrypto does with memory that holds secrets.
import CSSL

enum OpenSSLMemory {
    /// Both arrays must be of the same length.
    static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        CRYPTO_memcmp(one, other, min(one.count, other.count)) == 0
    }

    /// The same for memory.
    static func isEqual(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        CRYPTO_memcmp(one.baseAddress, other.baseAddress, min(one.count, other.count)) == 0
    }
}
