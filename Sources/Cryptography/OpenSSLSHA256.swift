import CSSL

/// SHA-256 by libcrypto, with its state as a value: it starts, copies and ends without allocating memory.
///
/// Preparing libcrypto's contexts (`EVP_MD_CTX`, `EVP_MAC_CTX`) takes longer than digesting most of our messages, which
/// have only a few lines.
struct OpenSSLSHA256 {
    static let blockByteCount = 64

    private var state = SHA256_CTX()

    init() {
        guard switchback_SHA256_Init(&self.state) == 1 else { preconditionFailure("libcrypto has no SHA-256") }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard switchback_SHA256_Update(&self.state, bytes.baseAddress, bytes.count) == 1 else {
            preconditionFailure("libcrypto could not make a digest")
        }
    }

    /// Returns the digest. Nothing can be added afterwards.
    mutating func finish() -> DigestBytes {
        DigestBytes { digest in
            let start = digest.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard switchback_SHA256_Final(&self.state, start) == 1 else {
                preconditionFailure("libcrypto could not make a digest")
            }
        }
    }
}
