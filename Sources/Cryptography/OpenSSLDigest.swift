import CSSL

/// SHA-2 by libcrypto.
package enum OpenSSLDigest {
    package static func hash(_ bytes: [UInt8], _ digest: Digest) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: digest.byteCount) { output, count in
            guard EVP_Digest(bytes, bytes.count, output.baseAddress, nil, self.algorithm(digest), nil) == 1 else {
                preconditionFailure("libcrypto could not make a digest")
            }
            count = digest.byteCount
        }
    }

    /// Hashes without an array for the digest. The context (`EVP_MD_CTX`) may be new or used: making one for each
    /// digest takes as long as digesting a few lines.
    package static func withHash(
        of bytes: [UInt8], _ digest: Digest, in context: OpaquePointer, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digest.byteCount) { output in
            guard EVP_DigestInit_ex(context, self.algorithm(digest), nil) == 1,
                EVP_DigestUpdate(context, bytes, bytes.count) == 1,
                EVP_DigestFinal_ex(context, output.baseAddress, nil) == 1
            else { preconditionFailure("libcrypto could not make a digest") }
            return body(UnsafeBufferPointer(output))
        }
    }

    /// Fetched once, because OpenSSL 3 otherwise looks up the implementation on every call.
    package static func algorithm(_ digest: Digest) -> OpaquePointer {
        switch digest {
        case .sha256: self.sha256
        case .sha384: self.sha384
        case .sha512: self.sha512
        }
    }

    // Safe because a fetched algorithm never changes, and libcrypto counts its references atomically.
    nonisolated(unsafe) private static let sha256 = fetch("SHA2-256")
    // Safe because: as above.
    nonisolated(unsafe) private static let sha384 = fetch("SHA2-384")
    // Safe because: as above.
    nonisolated(unsafe) private static let sha512 = fetch("SHA2-512")

    private static func fetch(_ name: String) -> OpaquePointer {
        guard let algorithm = EVP_MD_fetch(nil, name, nil) else { preconditionFailure("libcrypto has no \(name)") }
        return algorithm
    }
}
