import Base

/// Derives keys from a key, with SHA-256 (RFC 5869).
package enum HKDF {
    /// Returns `count` bytes for `info`, which tell nothing about the bytes for any other `info`.
    package static func derive(_ count: Int, from key: Secret, salt: [UInt8] = [], info: [UInt8]) -> Secret {
        precondition(count <= 255 * Digest.sha256.byteCount, "RFC 5869 §2.3: L <= 255*HashLen")
        // Extract (§2.2). An empty salt means a block of zeros, which is what HMAC makes of an empty key.
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

/// Derives keys from an agreed secret, with SHA-256 (NIST SP 800-56A §5.8.1, as RFC 7518 §4.6.2 uses it).
package enum ConcatKDF {
    /// Returns `count` bytes for this algorithm and these two parties, the producer `u` and the consumer `v`.
    package static func derive(
        _ count: Int, from secret: Secret, algorithm: String, partyU: [UInt8], partyV: [UInt8]
    ) -> Secret {
        let information =
            self.data(Array(algorithm.utf8)) + self.data(partyU) + self.data(partyV) + self.number(count * 8)
        var output: [UInt8] = []
        var counter = 0
        while output.count < count {
            counter += 1
            output += Digest.sha256.hash(self.number(counter) + secret.exposed + information)
        }
        return Secret(Array(output.prefix(count)))
    }

    /// Returns bytes with their count before them.
    private static func data(_ bytes: [UInt8]) -> [UInt8] { self.number(bytes.count) + bytes }

    /// Returns 32 bits, big-endian.
    private static func number(_ value: Int) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
