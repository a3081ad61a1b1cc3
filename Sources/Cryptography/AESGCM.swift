/// Sealing with AES-256-GCM (NIST SP 800-38D): nobody without the key reads or changes what is sealed.
import Base

package enum AESGCM {
    package static let keyByteCount = 32
    package static let nonceByteCount = 12
    package static let tagByteCount = 16

    /// A fresh nonce, the ciphertext and the tag, in one. The `additional` bytes are not inside, but must be the same
    /// when it is opened. The key must be of 32 bytes.
    ///
    /// The nonce is random, so one key should not seal more than 2³² times (SP 800-38D §8.3).
    package static func seal(_ plaintext: [UInt8], key: Secret, additional: [UInt8]) -> [UInt8] {
        precondition(key.count == self.keyByteCount, "AES-256 has keys of 32 bytes")
        // Never the caller's: a nonce used twice with one key gives the key of the tags away.
        let nonce = RandomBytes.make(self.nonceByteCount)
        return OpenSSLCipher.seal(plaintext, key: key, nonce: nonce, additional: additional)
    }

    package static func open(_ sealed: [UInt8], key: Secret, additional: [UInt8]) throws(AESGCMError) -> [UInt8] {
        guard key.count == self.keyByteCount else { throw .key }
        guard sealed.count >= self.nonceByteCount + self.tagByteCount,
            let plaintext = OpenSSLCipher.open(sealed, key: key, additional: additional)
        else { throw .notAuthentic }
        return plaintext
    }
}

/// Why sealed bytes could not be opened.
package enum AESGCMError: Error, Equatable, Sendable {
    /// The key is not of 32 bytes.
    case key
    /// Too short, changed, sealed with another key, or bound to other additional bytes: one case, because whoever
    /// sent it must not learn which.
    case notAuthentic
}
