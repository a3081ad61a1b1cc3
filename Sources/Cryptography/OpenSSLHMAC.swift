import Base
import CSSL
import Synchronization

/// HMAC by libcrypto. `HMACKey` is faster for SHA-256.
enum OpenSSLHMAC {
    static func code(_ message: [UInt8], key: Secret, _ digest: Digest) -> [UInt8] {
        let contexts = self.contexts(digest)
        let context = contexts.take()
        defer { contexts.giveBack(context) }
        return [UInt8](unsafeUninitializedCapacity: digest.byteCount) { output, count in
            guard EVP_MAC_init(context, key.exposed, key.count, nil) == 1,
                EVP_MAC_update(context, message, message.count) == 1,
                EVP_MAC_final(context, output.baseAddress, &count, output.count) == 1
            else { preconditionFailure("libcrypto could not make an HMAC") }
        }
    }

    private static func contexts(_ digest: Digest) -> Contexts {
        switch digest {
        case .sha256: self.sha256
        case .sha384: self.sha384
        case .sha512: self.sha512
        }
    }

    private static let sha256 = Contexts("SHA2-256")
    private static let sha384 = Contexts("SHA2-384")
    private static let sha512 = Contexts("SHA2-512")

    // Safe because each context has one user between `take` and `giveBack`.
    /// Contexts that have a digest and wait for a key, as many as were ever in use at once. A new context, or a copy of
    /// one, costs as much as the HMAC itself, and libcrypto's one-shot `HMAC()` looks up everything by name.
    private final class Contexts: @unchecked Sendable {
        private let lock = Mutex(())
        private var idle: [OpaquePointer] = []
        private let digest: String

        init(_ digest: String) { self.digest = digest }

        func take() -> OpaquePointer {
            self.lock.withLock { _ in self.idle.popLast() } ?? OpenSSLHMAC.prepare(self.digest)
        }

        func giveBack(_ context: OpaquePointer) { self.lock.withLock { _ in self.idle.append(context) } }
    }

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
