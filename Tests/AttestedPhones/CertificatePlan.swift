import CSSL

/// A certificate that a test makes with libcrypto, right or wrong in every part.
package struct CertificatePlan: Sendable {
    package struct Extension: Sendable {
        package var identifier: String
        package var isCritical = false
        package var content: [UInt8]

        package init(identifier: String, isCritical: Bool = false, content: [UInt8]) {
            self.identifier = identifier
            self.isCritical = isCritical
            self.content = content
        }

        /// basicConstraints (RFC 5280 §4.2.1.9).
        package static let authority = Extension(
            identifier: "2.5.29.19", isCritical: true, content: DER.sequence(DER.boolean(true)))
        package static let lastAuthority = Extension(
            identifier: "2.5.29.19", isCritical: true, content: DER.sequence(DER.boolean(true), DER.integer(0)))
        package static let noAuthority = Extension(identifier: "2.5.29.19", isCritical: true, content: DER.sequence())
    }

    package enum Digest: Sendable {
        case sha1
        case sha256
        case sha384
    }

    package typealias Name = [(field: String, value: String)]

    package var subject: Name
    package var issuer: Name
    package var key: TestKey
    package var signer: TestKey
    package var serial: [UInt8]
    /// Seconds since 1970.
    package var start = Moment.now - 86_400
    package var end = Moment.now + 86_400
    package var extensions: [Extension] = []
    package var digest = Digest.sha256

    /// Without an issuer the certificate is self-signed.
    package init(_ subject: Name, key: TestKey, by issuer: CertificatePlan? = nil, serial: [UInt8]) {
        self.subject = subject
        self.issuer = issuer?.subject ?? subject
        self.key = key
        self.signer = issuer?.key ?? key
        self.serial = serial
    }

    /// Makes it valid for a day before this time and a day after it.
    package mutating func center(on time: Int) { (self.start, self.end) = (time - 86_400, time + 86_400) }

    package func der() throws -> [UInt8] {
        guard let certificate = X509_new() else { throw TestKey.Failure() }
        defer { X509_free(certificate) }
        X509_set_version(certificate, 2)
        try self.fill(X509_get_subject_name(certificate), self.subject)
        let issuer = X509_NAME_new()
        defer { X509_NAME_free(issuer) }
        try self.fill(issuer, self.issuer)
        X509_set_issuer_name(certificate, issuer)
        let number = BN_bin2bn(self.serial, Int32(self.serial.count), nil)
        defer { BN_free(number) }
        BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate))
        ASN1_TIME_set(X509_getm_notBefore(certificate), self.start)
        ASN1_TIME_set(X509_getm_notAfter(certificate), self.end)
        X509_set_pubkey(certificate, self.key.pointer)
        for item in self.extensions { try Self.add(item, to: certificate) }
        guard X509_sign(certificate, self.signer.pointer, self.algorithm) > 0 else { throw TestKey.Failure() }
        return try Self.encoded(certificate)
    }

    package func pem() throws -> [UInt8] {
        var der: UnsafePointer<UInt8>?
        let bytes = try self.der()
        return try bytes.withUnsafeBufferPointer { bytes in
            der = bytes.baseAddress
            guard let certificate = d2i_X509(nil, &der, bytes.count), let file = BIO_new(BIO_s_mem()) else {
                throw TestKey.Failure()
            }
            defer {
                X509_free(certificate)
                BIO_free(file)
            }
            guard PEM_write_bio_X509(file, certificate) == 1 else { throw TestKey.Failure() }
            var text = [UInt8](repeating: 0, count: BIO_ctrl_pending(file))
            guard BIO_read(file, &text, Int32(text.count)) == text.count else { throw TestKey.Failure() }
            return text
        }
    }

    private var algorithm: OpaquePointer? {
        switch self.digest {
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        }
    }

    private func fill(_ name: OpaquePointer?, _ fields: Name) throws {
        for (field, value) in fields {
            let isAdded = X509_NAME_add_entry_by_txt(name, field, MBSTRING_ASC, value, -1, -1, 0)
            guard isAdded == 1 else { throw TestKey.Failure() }
        }
    }

    private static func add(_ item: Extension, to certificate: OpaquePointer) throws {
        guard let identifier = OBJ_txt2obj(item.identifier, 1), let content = ASN1_OCTET_STRING_new() else {
            throw TestKey.Failure()
        }
        defer {
            ASN1_OBJECT_free(identifier)
            ASN1_OCTET_STRING_free(content)
        }
        ASN1_OCTET_STRING_set(content, item.content, Int32(item.content.count))
        let made = X509_EXTENSION_create_by_OBJ(nil, identifier, item.isCritical ? 1 : 0, content)
        defer { X509_EXTENSION_free(made) }
        guard X509_add_ext(certificate, made, -1) == 1 else { throw TestKey.Failure() }
    }

    private static func encoded(_ certificate: OpaquePointer) throws -> [UInt8] {
        let count = i2d_X509(certificate, nil)
        guard count > 0 else { throw TestKey.Failure() }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        bytes.withUnsafeMutableBufferPointer { bytes in
            var position = bytes.baseAddress
            _ = i2d_X509(certificate, &position)
        }
        return bytes
    }
}

/// The time of the tests.
package enum Moment {
    package static let now = 1_800_000_000
}
