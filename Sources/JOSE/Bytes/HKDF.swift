/// Keys made from a key, with SHA-256 (RFC 5869).

package enum HKDF {
    /// `count` bytes that belong to `info` and tell nothing about the bytes for any other `info`.
    package static func derive(_ count: Int, from key: Secret, salt: [UInt8] = [], info: [UInt8]) -> Secret {
        precondition(count <= 255 * Digest.sha256.byteCount, "RFC 5869 §2.3: L <= 255*HashLen")
        // Extract (§2.2). An empty salt is a block of zeros, which is what HMAC makes of an empty key.
        let pseudorandomKey = HMACKey(Secret(HMACKey(Secret(salt)).code(key.exposed)))
        // Expand (§2.3).
        var output: [UInt8] = []
        var block: [UInt8] = []
        var counter: UInt8 = 0
        while output.count < count {
            counter += 1
            block = pseudorandomKey.code(block + info + [counter])
            output += block
        }
        return Secret(Array(output.prefix(count)))
    }
}
