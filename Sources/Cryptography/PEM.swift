import Base
import CSSL

/// Reads PEM (RFC 7468) with libcrypto.
package enum PEM {
    /// Reads from memory. Clears libcrypto's error queue before and after, so that no later call finds our errors.
    static func read<Result>(_ pem: [UInt8], _ body: (OpaquePointer) -> Result?) -> Result? {
        guard let size = Int32(exactly: pem.count) else { return nil }
        ERR_clear_error()
        defer { ERR_clear_error() }
        return pem.withUnsafeBytes { bytes in
            guard let file = BIO_new_mem_buf(bytes.baseAddress, size) else { return nil }
            defer { BIO_free(file) }
            return body(file)
        }
    }

    /// Returns an `EVP_PKEY`, which the caller must free; nil unless there is exactly one private key, and it is not
    /// encrypted.
    package static func privateKey(in pem: Secret) -> OpaquePointer? {
        let count = pem.exposedText.split(whereSeparator: \.isNewline)
            .count { $0.hasPrefix("-----BEGIN ") && $0.contains("PRIVATE KEY-----") }
        guard count == 1 else { return nil }
        // libcrypto would ask on the terminal for the password of an encrypted key. -1 says that there is none.
        return self.read(pem.exposed) { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
    }
}
