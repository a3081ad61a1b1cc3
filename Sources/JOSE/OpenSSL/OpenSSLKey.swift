/// libcrypto's form of a key, public or private.
import CSSL

// Safe because the key is not changed once it is made, libcrypto allows many threads to use such a key at once (each
// operation has a context of its own), and what it caches in it is behind its own lock.
final class OpenSSLKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes the key over, and frees it in the end.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(self.pointer) }

    /// Runs what may fail, and leaves nothing in this thread's list of errors for somebody else to find. libcrypto may
    /// put something there on its way to success too.
    static func attempt<Result>(_ body: () -> Result?) -> Result? {
        defer { ERR_clear_error() }
        return body()
    }
}
