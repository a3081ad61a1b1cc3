/// HMAC by libcrypto.
import CSSL

enum OpenSSLHMAC {
    static func code(_ message: [UInt8], key: Secret, _ digest: Digest) -> [UInt8] {
        // A copy of a prepared context costs about half of libcrypto's one-shot `HMAC()`, which looks up the algorithm
        // and the digest by name on every call.
        guard let context = EVP_MAC_CTX_dup(self.prepared(digest)) else { preconditionFailure("out of memory") }
        defer { EVP_MAC_CTX_free(context) }
        return [UInt8](unsafeUninitializedCapacity: digest.byteCount) { output, count in
            guard EVP_MAC_init(context, key.exposed, key.count, nil) == 1,
                EVP_MAC_update(context, message, message.count) == 1,
                EVP_MAC_final(context, output.baseAddress, &count, output.count) == 1
            else { preconditionFailure("libcrypto could not make an HMAC") }
        }
    }

    private static func prepared(_ digest: Digest) -> OpaquePointer {
        switch digest {
        case .sha256: self.sha256
        case .sha384: self.sha384
        case .sha512: self.sha512
        }
    }

    // Safe because these are only ever copied from, which reads them and counts references atomically.
    nonisolated(unsafe) private static let sha256 = prepare("SHA2-256")
    // Safe because: as above.
    nonisolated(unsafe) private static let sha384 = prepare("SHA2-384")
    // Safe because: as above.
    nonisolated(unsafe) private static let sha512 = prepare("SHA2-512")

    /// A context that knows its digest and waits for a key.
    private static func prepare(_ digest: String) -> OpaquePointer {
        var parameters = OpenSSLParameters()
        parameters.add("digest", text: digest)
        let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)
        defer { EVP_MAC_free(algorithm) }
        guard let context = EVP_MAC_CTX_new(algorithm),
            parameters.withParameters({ EVP_MAC_CTX_set_params(context, $0) }) == 1
        else { preconditionFailure("libcrypto has no HMAC with \(digest)") }
        return context
    }
}
