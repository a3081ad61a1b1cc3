import Base
import Cryptography
import CSSL

// What attestations need to know of a certificate.

extension Certificate {
    /// Far more than a certificate with an RSA key and every extension needs.
    private static let mostBytes = 16 * 1024
    /// The same as OpenSSL's level 2.
    private static let leastSecurityBits: Int32 = 112

    /// Throws unless the bytes are exactly one certificate.
    static func attested(der: [UInt8]) throws(Refusal) -> Certificate {
        guard der.count <= Self.mostBytes else { throw .tooLarge }
        guard let certificate = Certificate(der: der) else { throw .malformedCertificate }
        return certificate
    }

    // MARK: - Names and numbers

    var isSelfIssued: Bool { self.isIssued(by: self) }

    /// Whether the other certificate's subject is this one's issuer.
    func isIssued(by other: Certificate) -> Bool {
        X509_NAME_cmp(X509_get_issuer_name(self.pointer), X509_get_subject_name(other.pointer)) == 0
    }

    /// Whether the subject has a serialNumber (X.520 §6.2.9). It is not the serial number of the certificate.
    var subjectHasSerialNumber: Bool {
        X509_NAME_get_index_by_NID(X509_get_subject_name(self.pointer), NID_serialNumber, -1) >= 0
    }

    /// The serial number in hexadecimal, in lower case and without leading zeros, as Google's status list has it.
    package var serialNumber: String {
        guard let number = X509_get0_serialNumber(self.pointer) else { return "" }
        let digits = Self.bytes(number).flatMap { [$0 >> 4, $0 & 0xF] }.drop { $0 == 0 }
        let text = digits.map { String($0, radix: 16) }.joined()
        return text.isEmpty ? "0" : ASN1_STRING_type(number) == V_ASN1_NEG_INTEGER ? "-" + text : text
    }

    /// Whether basicConstraints says so. libcrypto knows older ways to say it, and those do not count.
    var isAuthority: Bool { X509_check_ca(self.pointer) == 1 }

    /// Checks the signature, and what else libcrypto checks of the first certificate of a path.
    func checkIssuance(by issuer: Certificate) throws(Refusal) {
        defer { ERR_clear_error() }
        guard X509_verify(self.pointer, X509_get0_pubkey(issuer.pointer)) == 1 else { throw .wrongSignature }
        var bits: Int32 = 0
        guard X509_get_signature_info(self.pointer, nil, nil, &bits, nil) == 1, bits >= Self.leastSecurityBits else {
            throw .weakCertificate
        }
        for index in 0..<max(0, X509_get_ext_count(self.pointer)) {
            let item = X509_get_ext(self.pointer, index)
            guard X509_EXTENSION_get_critical(item) == 0 || X509_supported_extension(item) == 1 else {
                throw .unknownCriticalExtension
            }
        }
    }

    // MARK: - Dates

    func isStarted(at time: Timestamp) throws(Refusal) -> Bool {
        try Self.compare(X509_get0_notBefore(self.pointer), with: time) < 0
    }

    func isExpired(at time: Timestamp) throws(Refusal) -> Bool {
        try Self.compare(X509_get0_notAfter(self.pointer), with: time) < 0
    }

    /// Returns a negative number if the date is not after the time, otherwise a positive one.
    private static func compare(
        _ date: UnsafePointer<ASN1_TIME>?, with time: Timestamp
    ) throws(Refusal) -> Int32 {
        var seconds = time_t(time.seconds)
        let order = X509_cmp_time(date, &seconds)
        guard order != 0 else { throw .malformedCertificate }
        return order
    }

    // MARK: - Extensions and the key

    /// Returns the content of an extension, or nil. An extension must not occur twice (RFC 5280 §4.2).
    func value(of identifier: ObjectIdentifier) throws(Refusal) -> [UInt8]? {
        let index = X509_get_ext_by_OBJ(self.pointer, identifier.pointer, -1)
        guard index >= 0 else { return nil }
        guard X509_get_ext_by_OBJ(self.pointer, identifier.pointer, index) < 0,
            let content = X509_EXTENSION_get_data(X509_get_ext(self.pointer, index))
        else { throw .malformedCertificate }
        return Self.bytes(content)
    }

    /// Whether libcrypto knows the kind of key, and the key is a valid one.
    var hasReadableKey: Bool {
        defer { ERR_clear_error() }
        return X509_get0_pubkey(self.pointer) != nil
    }

    /// The key as an uncompressed point (SEC 1 §2.3.3) if it is on P-256, otherwise nil.
    package var p256Point: [UInt8]? {
        defer { ERR_clear_error() }
        var name = [CChar](repeating: 0, count: 32)
        var length = 0
        guard let key = X509_get0_pubkey(self.pointer), EVP_PKEY_is_a(key, "EC") == 1,
            EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1,
            name.prefix(length).elementsEqual("prime256v1".utf8.map { CChar($0) }),
            let text = X509_get0_pubkey_bitstr(self.pointer)
        else { return nil }
        let point = Self.bytes(text)
        return point.count == 65 && point.first == 4 ? point : nil
    }

    private static func bytes(_ text: UnsafePointer<ASN1_STRING>) -> [UInt8] {
        Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: Int(ASN1_STRING_length(text))))
    }
}

// Safe because nothing changes it.
/// The name of an extension, such as `1.2.840.113635.100.8.2`.
package final class ObjectIdentifier: @unchecked Sendable {
    let pointer: OpaquePointer

    /// The text must be the numbers with dots.
    package init(_ text: StaticString) {
        let characters = UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
        guard let pointer = OBJ_txt2obj(characters, 1) else {
            preconditionFailure("\(text) is no object identifier")
        }
        self.pointer = pointer
    }

    deinit { ASN1_OBJECT_free(self.pointer) }
}
