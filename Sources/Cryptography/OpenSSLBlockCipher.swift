import Base
import CSSL

/// AES-CBC with PKCS #7 padding, and AES Key Wrap, by libcrypto. The length of the key selects AES-128 or AES-256.
package enum OpenSSLBlockCipher {
    package static let blockByteCount = 16

    /// The key must have 16 or 32 bytes, the IV 16.
    package static func encryptCBC(_ plaintext: [UInt8], key: Secret, iv: [UInt8]) -> [UInt8] {
        let cipher = key.count == 16 ? self.aes128CBC : self.aes256CBC
        guard let ciphertext = self.run(plaintext, cipher, key, iv, encrypts: true) else {
            preconditionFailure("libcrypto could not encrypt")
        }
        return ciphertext
    }

    /// Returns nil if the padding is wrong. The caller must first check that the ciphertext is authentic.
    package static func decryptCBC(_ ciphertext: [UInt8], key: Secret, iv: [UInt8]) -> [UInt8]? {
        self.run(ciphertext, key.count == 16 ? self.aes128CBC : self.aes256CBC, key, iv, encrypts: false)
    }

    /// Wraps a key (RFC 3394, with its default initial value). The wrapping key must have 16 or 32 bytes, and the key a
    /// multiple of 8.
    package static func wrap(_ key: Secret, with wrappingKey: Secret) -> [UInt8] {
        let cipher = wrappingKey.count == 16 ? self.aes128Wrap : self.aes256Wrap
        guard let wrapped = self.run(key.exposed, cipher, wrappingKey, nil, encrypts: true) else {
            preconditionFailure("libcrypto could not wrap")
        }
        return wrapped
    }

    /// Returns nil unless the key was wrapped with that wrapping key.
    package static func unwrap(_ wrapped: [UInt8], with wrappingKey: Secret) -> Secret? {
        let cipher = wrappingKey.count == 16 ? self.aes128Wrap : self.aes256Wrap
        return self.run(wrapped, cipher, wrappingKey, nil, encrypts: false).map(Secret.init)
    }

    private static func run(
        _ input: [UInt8], _ cipher: OpaquePointer, _ key: Secret, _ iv: [UInt8]?, encrypts: Bool
    ) -> [UInt8]? {
        OpenSSLCipher.withContext { context in
            // libcrypto allows key wrapping only with this flag.
            EVP_CIPHER_CTX_set_flags(context, Int32(EVP_CIPHER_CTX_FLAG_WRAP_ALLOW))
            var output = [UInt8](repeating: 0, count: input.count + 2 * self.blockByteCount)
            var (writtenCount, rest): (Int32, Int32) = (0, 0)
            let isDone = output.withUnsafeMutableBufferPointer { output in
                guard let start = output.baseAddress, let size = Int32(exactly: input.count) else { return false }
                return EVP_CipherInit_ex2(context, cipher, key.exposed, iv, encrypts ? 1 : 0, nil) == 1
                    && EVP_CipherUpdate(context, start, &writtenCount, input, size) == 1
                    && EVP_CipherFinal_ex(context, start + Int(writtenCount), &rest) == 1
            }
            guard isDone else { return nil }
            output.removeLast(output.count - Int(writtenCount + rest))
            return output
        }
    }

    // Safe because a fetched algorithm never changes, and libcrypto counts its references atomically.
    nonisolated(unsafe) private static let aes128CBC = OpenSSLCipher.fetch("AES-128-CBC")
    // Safe because: as above.
    nonisolated(unsafe) private static let aes256CBC = OpenSSLCipher.fetch("AES-256-CBC")
    // Safe because: as above.
    nonisolated(unsafe) private static let aes128Wrap = OpenSSLCipher.fetch("AES-128-WRAP")
    // Safe because: as above.
    nonisolated(unsafe) private static let aes256Wrap = OpenSSLCipher.fetch("AES-256-WRAP")
}
