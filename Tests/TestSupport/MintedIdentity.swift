import CSSL
import Glibc

/// A certificate with its key, made in memory with the names, validity and issuer that a test wants.
package struct MintedIdentity: Sendable {
    package enum Kind: Sendable {
        case p256
        case rsa(bits: Int32)
    }

    package struct Failure: Error {
        package init() {}
    }

    /// The certificate in PEM.
    package let certificate: [UInt8]
    package let key: [UInt8]

    /// `from` and `until` are seconds from now. Without an `issuer` the certificate is self-signed.
    package init(
        _ names: [String], kind: Kind = .p256, from: Int = -3600, until: Int = 30 * 86_400,
        issuer: MintedIdentity? = nil, isAuthority: Bool = false
    ) throws {
        guard let key = Self.generate(kind), let certificate = X509_new() else { throw Failure() }
        defer {
            EVP_PKEY_free(key)
            X509_free(certificate)
        }
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int.random(in: 1 ... .max))
        X509_gmtime_adj(X509_getm_notBefore(certificate), from)
        X509_gmtime_adj(X509_getm_notAfter(certificate), until)
        X509_set_pubkey(certificate, key)
        // The subject is no host name, so that no check can match it.
        let name = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, "Minted \(UInt32.random(in: 0 ... .max))", -1, -1, 0)
        let values = names.map { $0.contains(where: \.isLetter) ? "DNS:\($0)" : "IP:\($0)" }
        if !values.isEmpty { try Self.extend(certificate, NID_subject_alt_name, values.joined(separator: ",")) }
        if isAuthority { try Self.extend(certificate, NID_basic_constraints, "critical,CA:TRUE") }
        let above = try issuer.map { (try Self.certificate(in: $0.certificate), try Self.key(in: $0.key)) }
        defer {
            X509_free(above?.0)
            EVP_PKEY_free(above?.1)
        }
        X509_set_issuer_name(certificate, above.map { X509_get_subject_name($0.0) } ?? name)
        guard X509_sign(certificate, above?.1 ?? key, EVP_sha256()) > 0 else { throw Failure() }
        self.certificate = try Self.pem { PEM_write_bio_X509($0, certificate) }
        self.key = try Self.pem { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
    }

    /// Returns the OpenSSL object; the caller frees it.
    package static func certificate(in pem: [UInt8]) throws -> OpaquePointer {
        try Self.reading(pem) { PEM_read_bio_X509($0, nil, nil, nil) }
    }

    package static func key(in pem: [UInt8]) throws -> OpaquePointer {
        try Self.reading(pem) { PEM_read_bio_PrivateKey($0, nil, nil, nil) }
    }

    private static func generate(_ kind: Kind) -> OpaquePointer? {
        let type = if case .rsa = kind { "RSA" } else { "EC" }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        EVP_PKEY_keygen_init(context)
        switch kind {
        case .p256: EVP_PKEY_CTX_set_group_name(context, "P-256")
        case .rsa(let bits): EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits)
        }
        EVP_PKEY_generate(context, &key)
        return key
    }

    private static func extend(_ certificate: OpaquePointer, _ identifier: Int32, _ value: String) throws {
        guard let more = X509V3_EXT_conf_nid(nil, nil, identifier, value) else { throw Failure() }
        defer { X509_EXTENSION_free(more) }
        X509_add_ext(certificate, more, -1)
    }

    private static func pem(_ write: (OpaquePointer) -> Int32) throws -> [UInt8] {
        guard let file = BIO_new(BIO_s_mem()) else { throw Failure() }
        defer { BIO_free(file) }
        guard write(file) == 1 else { throw Failure() }
        var text = [UInt8](repeating: 0, count: BIO_ctrl_pending(file))
        guard BIO_read(file, &text, Int32(text.count)) == text.count else { throw Failure() }
        return text
    }

    private static func reading(_ pem: [UInt8], _ read: (OpaquePointer) -> OpaquePointer?) throws -> OpaquePointer {
        let object = pem.withUnsafeBytes { bytes -> OpaquePointer? in
            guard let file = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
            defer { BIO_free(file) }
            return read(file)
        }
        guard let object else { throw Failure() }
        return object
    }
}
