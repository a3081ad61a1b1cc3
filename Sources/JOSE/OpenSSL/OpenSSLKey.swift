/// libcrypto's form of a key, public or private.
import CSSL
import Synchronization

// Safe because the key is not changed once it is made, libcrypto allows many threads to use such a key at once (each
// operation has a context of its own), and what it caches in it is behind its own lock.
final class OpenSSLKey: @unchecked Sendable {
    let pointer: OpaquePointer
    /// What was set up to sign or verify with this key and is not lent: no more than were ever used at once.
    private let idle = Mutex<[OpenSSLSigning]>([])

    /// Takes the key over, and frees it in the end.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(self.pointer) }

    /// Lends a context for one signature. Nil when libcrypto refuses.
    func withContext<Result>(
        for purpose: OpenSSLSigning.Purpose, _ body: (OpenSSLSigning) -> Result?
    ) -> Result? {
        Self.attempt {
            let known = self.idle.withLock { idle in
                idle.lastIndex { $0.purpose == purpose }.map { idle.remove(at: $0) }
            }
            guard let context = known ?? OpenSSLSigning(purpose, key: self.pointer), let result = body(context) else {
                // One in which something failed is not used again.
                return nil
            }
            self.idle.withLock { $0.append(context) }
            return result
        }
    }

    /// Runs what may fail, and leaves nothing in this thread's list of errors for somebody else to find. libcrypto may
    /// put something there on its way to success too.
    static func attempt<Result>(_ body: () -> Result?) -> Result? {
        // To look is several times faster than to clear.
        defer { if ERR_peek_error() != 0 { ERR_clear_error() } }
        return body()
    }
}
