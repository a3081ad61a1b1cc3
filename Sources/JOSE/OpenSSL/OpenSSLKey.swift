/// libcrypto's form of a key, public or private.
import CSSL
import Synchronization

// Safe because the key is not changed once it is made, libcrypto allows many threads to use such a key at once (each
// operation has a context of its own), and what it caches in it is behind its own lock.
final class OpenSSLKey: @unchecked Sendable {
    let pointer: OpaquePointer
    /// What was set up to sign or verify with this key.
    private let prepared = Mutex<[OpenSSLSigning]>([])

    /// Takes the key over, and frees it in the end.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(self.pointer) }

    /// A context of its own for one signature. Nil when libcrypto refuses.
    func context(for purpose: OpenSSLSigning.Purpose) -> OpenSSLSigning? {
        self.prepared.withLock { prepared in
            if let known = prepared.first(where: { $0.purpose == purpose }) { return known.copy() }
            guard let new = OpenSSLSigning(purpose, key: self.pointer) else { return nil }
            prepared.append(new)
            return new.copy()
        }
    }

    /// Runs what may fail, and leaves nothing in this thread's list of errors for somebody else to find. libcrypto may
    /// put something there on its way to success too.
    static func attempt<Result>(_ body: () -> Result?) -> Result? {
        defer { ERR_clear_error() }
        return body()
    }
}
