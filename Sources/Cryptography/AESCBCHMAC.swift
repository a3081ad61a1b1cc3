import Base

/// AES-CBC with an HMAC over its output (RFC 7518 §5.2): authenticated encryption for peers without GCM.
package enum AESCBCHMAC {
    package static let ivByteCount = OpenSSLBlockCipher.blockByteCount
    private static let keyByteCounts = [32, 64]

    /// The two halves of a key of 32 or 64 bytes.
    private struct Halves {
        let code: Secret
        let cipher: Secret
        let digest: Digest

        init(_ key: Secret) {
            self.code = Secret(Array(key.exposed.prefix(key.count / 2)))
            self.cipher = Secret(Array(key.exposed.suffix(key.count / 2)))
            self.digest = key.count == 32 ? .sha256 : .sha512
        }

        /// Returns the tag (RFC 7518 §5.2.2.1, steps 4 and 5).
        func tag(_ ciphertext: [UInt8], iv: [UInt8], additional: [UInt8]) -> [UInt8] {
            let bits = UInt64(additional.count) * 8
            let length = stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
            let code = HMAC.code(additional + iv + ciphertext + length, key: self.code, self.digest)
            return Array(code.prefix(code.count / 2))
        }
    }

    /// The key must have 32 or 64 bytes. The IV must have 16 bytes that were unpredictable.
    package static func seal(_ plaintext: [UInt8], key: Secret, iv: [UInt8], additional: [UInt8]) -> (
        ciphertext: [UInt8], tag: [UInt8]
    ) {
        precondition(self.keyByteCounts.contains(key.count) && iv.count == self.ivByteCount, "RFC 7518 §5.2")
        let halves = Halves(key)
        let ciphertext = OpenSSLBlockCipher.encryptCBC(plaintext, key: halves.cipher, iv: iv)
        return (ciphertext, halves.tag(ciphertext, iv: iv, additional: additional))
    }

    /// Returns nil unless the ciphertext is authentic, and for a key or an IV of another length.
    package static func open(
        _ ciphertext: [UInt8], tag: [UInt8], key: Secret, iv: [UInt8], additional: [UInt8]
    ) -> [UInt8]? {
        guard self.keyByteCounts.contains(key.count), iv.count == self.ivByteCount else { return nil }
        let halves = Halves(key)
        // Check the tag first: an attacker who learns which padding is right can decrypt (RFC 7518 §5.2.2.2).
        guard equalInConstantTime(tag, halves.tag(ciphertext, iv: iv, additional: additional)) else { return nil }
        return OpenSSLBlockCipher.decryptCBC(ciphertext, key: halves.cipher, iv: iv)
    }
}
