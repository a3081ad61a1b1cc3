/// What libcrypto does with memory that holds secrets.
import CSSL

enum OpenSSLMemory {
    /// So that a later look at this memory tells nothing; no compiler takes it for useless.
    static func wipe(_ memory: UnsafeMutableRawBufferPointer) { OPENSSL_cleanse(memory.baseAddress, memory.count) }

    /// Both arrays must be of the same length.
    static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        CRYPTO_memcmp(one, other, min(one.count, other.count)) == 0
    }

    /// The same for memory.
    static func isEqual(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        CRYPTO_memcmp(one.baseAddress, other.baseAddress, min(one.count, other.count)) == 0
    }
}
