/// Signing and verifying with libcrypto.
import CSSL

extension OpenSSLKey {
    /// Nil when libcrypto refuses. The key must fit the scheme.
    func sign(_ message: [UInt8], _ scheme: SignatureAlgorithm.Scheme) -> [UInt8]? {
        Self.withContext { context in
            guard self.begin(context, scheme, EVP_DigestSignInit) else { return nil }
            var length = 0
            guard EVP_DigestSign(context, nil, &length, message, message.count) == 1 else { return nil }
            var signature = [UInt8](repeating: 0, count: length)
            guard EVP_DigestSign(context, &signature, &length, message, message.count) == 1 else { return nil }
            signature.removeLast(signature.count - length)
            guard case .ecdsa(let curve, _) = scheme else { return signature }
            return OpenSSLECDSASignature.raw(signature, curve)
        }
    }

    func verify(_ signature: [UInt8], of message: [UInt8], _ scheme: SignatureAlgorithm.Scheme) -> Bool {
        let isValid = Self.withContext { context -> Bool? in
            var signature = signature
            if case .ecdsa(let curve, _) = scheme {
                guard let encoded = OpenSSLECDSASignature.encoded(signature, curve) else { return nil }
                signature = encoded
            }
            guard self.begin(context, scheme, EVP_DigestVerifyInit),
                EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
            else { return nil }
            return true
        }
        return isValid ?? false
    }

    private typealias Initializer = (
        OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, OpaquePointer?, OpaquePointer?, OpaquePointer?
    ) -> Int32

    private func begin(
        _ context: OpaquePointer, _ scheme: SignatureAlgorithm.Scheme, _ initialize: Initializer
    ) -> Bool {
        var parameters: OpaquePointer?
        switch scheme {
        case .rsa(let digest), .ecdsa(_, let digest):
            // For RSA, PKCS #1 v1.5 is what libcrypto does unless told.
            return initialize(context, &parameters, OpenSSLDigest.algorithm(digest), nil, self.pointer) == 1
        case .rsaPSS(let digest):
            return initialize(context, &parameters, OpenSSLDigest.algorithm(digest), nil, self.pointer) == 1
                && EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
        case .ed25519:
            return initialize(context, &parameters, nil, nil, self.pointer) == 1
        }
    }

    private static func withContext<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        defer { EVP_MD_CTX_free(context) }
        return self.attempt { body(context) }
    }
}
