/// SHA-256 by libcrypto, its state a value: begun, copied and ended without memory of its own.
///
/// To make libcrypto's contexts (`EVP_MD_CTX`, `EVP_MAC_CTX`) ready takes longer than to digest the few lines that most of
/// our messages are.
import CSSL

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

    /// The digest. Nothing more can be added.
    mutating func finish() -> DigestBytes {
        DigestBytes { digest in
            let start = digest.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard switchback_SHA256_Final(&self.state, start) == 1 else {
                preconditionFailure("libcrypto could not make a digest")
            }
        }
    }
}
