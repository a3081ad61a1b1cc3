import Base

/// Encrypts with AES-256-GCM (NIST SP 800-38D). Without the key, the result cannot be read, nor changed unnoticed.
package enum AESGCM {
    package static let keyByteCount = 32
    package static let nonceByteCount = 12
    package static let tagByteCount = 16

    /// Returns a fresh nonce, the ciphertext and the tag, in that order. The `additional` bytes are not in it, but must
    /// be the same on opening. The key must have 32 bytes.
    ///
    /// The nonce is random, so one key should encrypt at most 2³² times (SP 800-38D §8.3).
    package static func seal(_ plaintext: [UInt8], key: Secret, additional: [UInt8]) -> [UInt8] {
        precondition(key.count == self.keyByteCount, "AES-256 has keys of 32 bytes")
        // The caller never chooses the nonce: a nonce used twice with one key reveals the key of the tags.
        let nonce = RandomBytes.make(self.nonceByteCount)
        return OpenSSLCipher.seal(plaintext, key: key, nonce: nonce, additional: additional)
    }

    /// Returns nil if the key does not have 32 bytes, or if the bytes are too short, changed, encrypted with another key,
    /// or bound to other additional bytes: the sender must not learn which.
    package static func open(_ sealed: [UInt8], key: Secret, additional: [UInt8]) -> [UInt8]? {
        guard key.count == self.keyByteCount, sealed.count >= self.nonceByteCount + self.tagByteCount else {
            return nil
        }
        return OpenSSLCipher.open(sealed, key: key, additional: additional)
    }
}
