import Cryptography
import Base
import CSSL

/// A chain of certificates that leads to a trusted root (RFC 5280 §6), verified by libcrypto.
package struct CertificatePath: Sendable {
    /// The attested certificate first, and after it those that issued one another. The root is not among them.
    package let certificates: [Certificate]

    package var leaf: Certificate { self.certificates[0] }

    /// The certificate that the root issued.
    var topmost: Certificate { self.certificates[self.certificates.count - 1] }

    /// Which certificates may have issued the first one.
    package enum LeafIssuer: Sendable {
        case authority
        /// Old Android phones attest with certificates that say they are no authorities. The caller must make sure in
        /// another way that the second certificate is not one that an app could get.
        case any
    }

    /// The first certificate is the attested one, and each was issued by the next. A root at the end is ignored: the
    /// trusted one of its name takes its place. Dates are not checked here.
    package init(
        _ encoded: [[UInt8]], to roots: TrustedRoots, most: Int, leafIssuer: LeafIssuer = .authority
    ) throws(Refusal) {
        guard (1...most + 1).contains(encoded.count) else { throw .wrongChainLength }
        var certificates: [Certificate] = []
        for der in encoded { certificates.append(try Certificate.attested(der: der)) }
        for (issued, issuer) in zip(certificates, certificates.dropFirst()) where !issued.isIssued(by: issuer) {
            throw .brokenChain
        }
        if certificates.count > 1, certificates[certificates.count - 1].isSelfIssued { certificates.removeLast() }
        guard certificates.count <= most else { throw .wrongChainLength }
        guard certificates[0].hasReadableKey else { throw .unsupportedKey }
        self.certificates = certificates
        guard leafIssuer == .any, certificates.count > 1, !certificates[1].isAuthority else {
            try Self.verify(certificates[...], to: roots)
            return
        }
        try Self.verify(certificates.dropFirst(), to: roots)
        try certificates[0].checkIssuance(by: certificates[1])
    }

    /// Throws unless each certificate is valid at this time. Expiry does not count for keys that a factory put into
    /// phones, because nobody can replace them.
    func checkDates(
        of certificates: ArraySlice<Certificate>, at time: Timestamp, withExpiry: Bool = true
    ) throws(Refusal) {
        for certificate in certificates {
            guard try certificate.isStarted(at: time) else { throw .notYetValid }
            let isExpired = try certificate.isExpired(at: time)
            guard !isExpired || !withExpiry else { throw .expired }
        }
    }

    // MARK: - libcrypto

    /// OpenSSL's level 2: at least 112 bits of security, such as RSA with 2048 bits, and no SHA-1.
    private static let securityLevel: Int32 = 2

    private static func verify(_ certificates: ArraySlice<Certificate>, to roots: TrustedRoots)
        throws(Refusal)
    {
        guard let first = certificates.first, certificates.dropFirst().allSatisfy(\.isAuthority) else {
            throw .issuerNotAuthority
        }
        defer { ERR_clear_error() }
        guard let context = X509_STORE_CTX_new(), let others = OPENSSL_sk_new_null() else {
            preconditionFailure("out of memory")
        }
        defer {
            X509_STORE_CTX_free(context)
            OPENSSL_sk_free(others)
        }
        for certificate in certificates.dropFirst() {
            guard OPENSSL_sk_push(others, UnsafeRawPointer(certificate.pointer)) > 0 else {
                preconditionFailure("out of memory")
            }
        }
        guard X509_STORE_CTX_init(context, roots.store, first.pointer, others) == 1,
            let parameters = X509_STORE_CTX_get0_param(context)
        else { preconditionFailure("out of memory") }
        // The caller checks the dates, because not all of them count.
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME))
        X509_VERIFY_PARAM_set_auth_level(parameters, Self.securityLevel)
        X509_VERIFY_PARAM_set_depth(parameters, Int32(certificates.count))
        guard X509_verify_cert(context) == 1 else { throw Self.refusal(X509_STORE_CTX_get_error(context)) }
        // libcrypto finds a path of its own. Ours must be that path, whole and in its order.
        guard let path = X509_STORE_CTX_get0_chain(context),
            Int(OPENSSL_sk_num(path)) == certificates.count + 1
        else { throw .invalidChain }
        for (index, certificate) in certificates.enumerated() {
            guard let pathCertificate = OPENSSL_sk_value(path, Int32(index)),
                X509_cmp(OpaquePointer(pathCertificate), certificate.pointer) == 0
            else { throw .invalidChain }
        }
    }

    private static func refusal(_ error: Int32) -> Refusal {
        switch error {
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
            X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            .untrustedRoot
        case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE: .wrongSignature
        case X509_V_ERR_INVALID_CA, X509_V_ERR_PATH_LENGTH_EXCEEDED, X509_V_ERR_KEYUSAGE_NO_CERTSIGN:
            .issuerNotAuthority
        case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: .unknownCriticalExtension
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK: .weakCertificate
        default: .invalidChain
        }
    }
}
