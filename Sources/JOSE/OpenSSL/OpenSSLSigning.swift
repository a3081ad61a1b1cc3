/// A context of libcrypto that knows its key and its algorithm, and is ready for one message.
import CSSL

/// For each that is set up, OpenSSL 3 looks for the implementations by name, which takes a sixth of the time of an ECDSA
/// signature. So one is set up for each use of a key, and then only copied, which takes a fraction of that.
final class OpenSSLSigning {
    enum Purpose: Equatable {
        case sign(SignatureAlgorithm.Scheme)
        case verify(SignatureAlgorithm.Scheme)
    }

    let purpose: Purpose
    let pointer: OpaquePointer

    private init(_ purpose: Purpose) {
        guard let pointer = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        self.purpose = purpose
        self.pointer = pointer
    }

    deinit { EVP_MD_CTX_free(self.pointer) }

    convenience init?(_ purpose: Purpose, key: OpaquePointer) {
        self.init(purpose)
        let isReady =
            switch purpose {
            case .sign(let scheme): self.begin(scheme, EVP_DigestSignInit, key)
            case .verify(let scheme): self.begin(scheme, EVP_DigestVerifyInit, key)
            }
        guard isReady else { return nil }
        // Each is used once, so libcrypto need not make a copy of its own to keep it as it was.
        EVP_MD_CTX_set_flags(self.pointer, EVP_MD_CTX_FLAG_FINALISE)
    }

    func copy() -> OpenSSLSigning? {
        let copy = OpenSSLSigning(self.purpose)
        return EVP_MD_CTX_copy_ex(copy.pointer, self.pointer) == 1 ? copy : nil
    }

    private typealias Initializer = (
        OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, OpaquePointer?, OpaquePointer?, OpaquePointer?
    ) -> Int32

    private func begin(
        _ scheme: SignatureAlgorithm.Scheme, _ initialize: Initializer, _ key: OpaquePointer
    ) -> Bool {
        var parameters: OpaquePointer?
        switch scheme {
        case .rsa(let digest), .ecdsa(_, let digest):
            // For RSA, PKCS #1 v1.5 is what libcrypto does unless told.
            return initialize(self.pointer, &parameters, OpenSSLDigest.algorithm(digest), nil, key) == 1
        case .rsaPSS(let digest):
            return initialize(self.pointer, &parameters, OpenSSLDigest.algorithm(digest), nil, key) == 1
                && EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
        case .ed25519:
            return initialize(self.pointer, &parameters, nil, nil, key) == 1
        }
    }
}
