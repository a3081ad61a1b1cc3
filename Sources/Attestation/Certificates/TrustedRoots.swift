import Base
import Cryptography
import CSSL

// Safe because nothing changes the store after `init`, and libcrypto guards it with a lock.
/// The roots that attestations may lead to. They come from the configuration; the system's are never used.
package final class TrustedRoots: @unchecked Sendable {
    let store: OpaquePointer
    package let count: Int

    /// Reads roots in PEM. Each must be the self-signed certificate of an authority. Its dates do not count, because an
    /// operator who configures it trusts it (RFC 5280 §6.1.1 d).
    package init(pem: [UInt8]) throws(FileError) {
        guard let roots = Certificate.all(inPEM: pem), !roots.isEmpty else {
            throw FileError("there is no certificate in PEM, or one that cannot be read")
        }
        guard let store = X509_STORE_new() else { preconditionFailure("out of memory") }
        defer { ERR_clear_error() }
        for root in roots {
            guard root.isSelfIssued, root.isAuthority,
                X509_verify(root.pointer, X509_get0_pubkey(root.pointer)) == 1
            else {
                X509_STORE_free(store)
                throw FileError("a certificate is not the self-signed one of an authority")
            }
            guard X509_STORE_add_cert(store, root.pointer) == 1 else { preconditionFailure("out of memory") }
        }
        self.store = store
        self.count = roots.count
    }

    deinit { X509_STORE_free(self.store) }
}
