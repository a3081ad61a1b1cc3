/// SHA-2 by libcrypto.
import CSSL

enum OpenSSLDigest {
    static func hash(_ bytes: [UInt8], _ digest: Digest) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: digest.byteCount) { output, count in
            var length: UInt32 = 0
            guard EVP_Digest(bytes, bytes.count, output.baseAddress, &length, self.algorithm(digest), nil) == 1 else {
                preconditionFailure("libcrypto could not make a digest")
            }
            count = Int(length)
        }
    }

    /// Fetched once: OpenSSL 3 otherwise looks for the algorithm's implementation on every call.
    static func algorithm(_ digest: Digest) -> OpaquePointer {
        switch digest {
        case .sha256: self.sha256
        case .sha384: self.sha384
        case .sha512: self.sha512
        }
    }

    // Safe because a fetched algorithm is never changed, and libcrypto counts its references atomically.
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
