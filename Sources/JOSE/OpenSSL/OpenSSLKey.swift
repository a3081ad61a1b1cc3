import CSSL
import Synchronization

// Safe because the key never changes once it is made, and libcrypto lets many threads use such a key at once: each
// operation has its own context, and libcrypto guards its caches in the key with a lock.
/// libcrypto's form of a key, public or private.
final class OpenSSLKey: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Contexts that are ready to sign or verify with this key and are not lent: no more than were ever used at once.
    private let idle = Mutex<[OpenSSLSigning]>([])

    /// Takes ownership of the key, and frees it in the end.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(self.pointer) }

    /// Lends a context for one signature. Returns nil if libcrypto refuses.
    func withContext<Result>(
        for purpose: OpenSSLSigning.Purpose, _ body: (OpenSSLSigning) -> Result?
    ) -> Result? {
        Self.attempt {
            let idleContext = self.idle.withLock { idle in
                idle.lastIndex { $0.purpose == purpose }.map { idle.remove(at: $0) }
            }
            guard let context = idleContext ?? OpenSSLSigning(purpose, key: self.pointer), let result = body(context)
            else {
                // A context in which something failed is not used again.
                return nil
            }
            self.idle.withLock { $0.append(context) }
            return result
        }
    }

    /// Runs an operation that may fail, and leaves no error in this thread's list for other code to find. libcrypto may
    /// add errors even if it succeeds.
    static func attempt<Result>(_ body: () -> Result?) -> Result? {
        // Looking is several times faster than clearing.
        defer { if ERR_peek_error() != 0 { ERR_clear_error() } }
        return body()
    }
}
