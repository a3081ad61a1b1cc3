import Base
import CSSL

/// AES-GCM by libcrypto. The length of the key selects AES-128 or AES-256.
package enum OpenSSLCipher {
    private static let nonceByteCount = AESGCM.nonceByteCount
    private static let tagByteCount = AESGCM.tagByteCount

    /// Returns nonce ‖ ciphertext ‖ tag. The key must have 16 or 32 bytes, the nonce 12.
    package static func seal(_ plaintext: [UInt8], key: Secret, nonce: [UInt8], additional: [UInt8]) -> [UInt8] {
        let sealed = self.withContext { context -> [UInt8]? in
            guard EVP_EncryptInit_ex2(context, self.algorithm(key), key.exposed, nonce, nil) == 1,
                let size = Int32(exactly: plaintext.count), let additionalSize = Int32(exactly: additional.count)
            else { return nil }
            var sealed = nonce + [UInt8](repeating: 0, count: plaintext.count + self.tagByteCount)
            let isSealed = sealed.withUnsafeMutableBytes { buffer in
                guard let start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
                let text = start + self.nonceByteCount
                var writtenCount: Int32 = 0
                return EVP_EncryptUpdate(context, nil, &writtenCount, additional, additionalSize) == 1
                    && EVP_EncryptUpdate(context, text, &writtenCount, plaintext, size) == 1
                    && EVP_EncryptFinal_ex(context, text + plaintext.count, &writtenCount) == 1
                    && EVP_CIPHER_CTX_ctrl(
                        context, EVP_CTRL_AEAD_GET_TAG, Int32(self.tagByteCount), text + plaintext.count) == 1
            }
            return isSealed ? sealed : nil
        }
        guard let sealed else { preconditionFailure("libcrypto could not seal") }
        return sealed
    }

    /// Returns nil unless it is authentic. `sealed` must have at least a nonce and a tag, the key 16 or 32 bytes.
    package static func open(_ sealed: [UInt8], key: Secret, additional: [UInt8]) -> [UInt8]? {
        let nonce = Array(sealed.prefix(self.nonceByteCount))
        let ciphertext = Array(sealed.dropFirst(self.nonceByteCount).dropLast(self.tagByteCount))
        var tag = Array(sealed.suffix(self.tagByteCount))
        return self.withContext { context in
            var plaintext = [UInt8](repeating: 0, count: ciphertext.count)
            var writtenCount: Int32 = 0
            guard let size = Int32(exactly: ciphertext.count), let additionalSize = Int32(exactly: additional.count),
                EVP_DecryptInit_ex2(context, self.algorithm(key), key.exposed, nonce, nil) == 1,
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1,
                EVP_DecryptUpdate(context, nil, &writtenCount, additional, additionalSize) == 1,
                EVP_DecryptUpdate(context, &plaintext, &writtenCount, ciphertext, size) == 1,
                // This call compares the tag. GCM buffers nothing, so the call writes nothing.
                EVP_DecryptFinal_ex(context, nil, &writtenCount) == 1
            else { return nil }
            return plaintext
        }
    }

    package static func withContext(_ body: (OpaquePointer) -> [UInt8]?) -> [UInt8]? {
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("out of memory") }
        defer { EVP_CIPHER_CTX_free(context) }
        let result = body(context)
        if result == nil { ERR_clear_error() }
        return result
    }

    private static func algorithm(_ key: Secret) -> OpaquePointer { key.count == 16 ? self.aes128 : self.aes256 }

    // Safe because a fetched algorithm never changes, and libcrypto counts its references atomically.
    nonisolated(unsafe) private static let aes128 = fetch("AES-128-GCM")
    // Safe because: as above.
    nonisolated(unsafe) private static let aes256 = fetch("AES-256-GCM")

    package static func fetch(_ name: String) -> OpaquePointer {
        guard let algorithm = EVP_CIPHER_fetch(nil, name, nil) else {
            preconditionFailure("libcrypto has no \(name)")
        }
        return algorithm
    }
}
