import Base
import Cryptography
import CSSL

// Safe because OpenSSL counts the references and no code changes the key or the stack.
/// A certificate with its chain and its private key: the server's identity for certain names.
package final class TLSIdentity: @unchecked Sendable {
    private let certificate: Certificate
    private let chain: [Certificate]
    /// The chain in the form that OpenSSL takes.
    private let stack: OpaquePointer
    private let key: OpaquePointer

    /// Reads both from PEM. The server's own certificate comes first, then the chain to the authority.
    package init(certificate: [UInt8], key: [UInt8]) throws(TLSIdentityError) {
        guard let all = Certificate.all(inPEM: certificate), let first = all.first else { throw .noCertificate }
        guard let pointer = PEM.privateKey(in: Secret(key)) else { throw .noKey }
        guard let stack = OPENSSL_sk_new_null() else {
            EVP_PKEY_free(pointer)
            throw .refused("no memory")
        }
        self.certificate = first
        self.chain = Array(all.dropFirst())
        self.stack = stack
        self.key = pointer
        for link in self.chain { OPENSSL_sk_push(stack, UnsafeRawPointer(link.pointer)) }
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard X509_check_private_key(first.pointer, pointer) == 1 else { throw .mismatch }
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw .refused("no memory") }
        defer { SSL_CTX_free(context) }
        SSL_CTX_set_security_level(context, TLSPolicy.securityLevel)
        guard self.use(inContext: context) else { throw .refused(OpenSSL.lastError) }
    }

    deinit {
        OPENSSL_sk_free(self.stack)
        EVP_PKEY_free(self.key)
    }

    /// The start and the end of its validity, in seconds since 1970.
    package var notBefore: Int { self.certificate.notBefore }
    package var notAfter: Int { self.certificate.notAfter }

    /// Checks a host name, or an address as it is written in a URL.
    package func covers(_ host: String) -> Bool {
        let address = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return self.certificate.covers(host, wildcards: true) || self.certificate.covers(address: address)
    }

    func covers(_ name: String, wildcards: Bool) -> Bool { self.certificate.covers(name, wildcards: wildcards) }

    func use(inContext context: OpaquePointer) -> Bool {
        SSL_CTX_use_cert_and_key(context, self.certificate.pointer, self.key, self.stack, 1) == 1
    }

    func use(in ssl: OpaquePointer) -> Bool {
        SSL_use_cert_and_key(ssl, self.certificate.pointer, self.key, self.stack, 1) == 1
    }
}

/// Why a certificate and its key cannot be used.
package enum TLSIdentityError: Error, Equatable, Sendable, CustomStringConvertible {
    case noCertificate
    /// There is no key, there are several, or the key has a password.
    case noKey
    /// The key does not belong to the first certificate.
    case mismatch
    /// OpenSSL's words, such as that the key is too small.
    case refused(String)

    package var description: String {
        switch self {
        case .noCertificate: "there is no certificate in PEM"
        case .noKey: "there must be exactly one private key in PEM, without a password"
        case .mismatch: "the key does not belong to the first certificate"
        case .refused(let reason): "OpenSSL rejects the certificate or its key: \(reason)"
        }
    }
}
