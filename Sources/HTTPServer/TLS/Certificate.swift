import CSSL
import Glibc

// Safe because OpenSSL counts the references and no code changes the certificate.
/// An X.509 certificate (RFC 5280).
final class Certificate: @unchecked Sendable {
    let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { X509_free(self.pointer) }

    /// Returns all certificates in `pem`, in their order, and skips other blocks; nil when one cannot be read.
    static func all(in pem: [UInt8]) -> [Certificate]? {
        OpenSSL.read(pem: pem) { file in
            var all: [Certificate] = []
            while let pointer = PEM_read_bio_X509(file, nil, nil, nil) { all.append(Certificate(owning: pointer)) }
            return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE ? all : nil
        }
    }

    /// Seconds since 1970.
    var notBefore: Int { Self.seconds(X509_get0_notBefore(self.pointer)) }
    var notAfter: Int { Self.seconds(X509_get0_notAfter(self.pointer)) }

    /// Checks the subjectAltName only. A wildcard matches one label (RFC 9525 §6.3).
    func covers(_ host: String, wildcards: Bool) -> Bool {
        defer { ERR_clear_error() }
        // OpenSSL takes a leading dot to mean any host below.
        guard !host.hasPrefix("."), !host.isEmpty else { return false }
        let flags = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS
        let more = wildcards ? 0 : X509_CHECK_FLAG_NO_WILDCARDS
        return X509_check_host(self.pointer, host, host.utf8.count, UInt32(flags | more), nil) == 1
    }

    func covers(address: String) -> Bool {
        defer { ERR_clear_error() }
        return X509_check_ip_asc(self.pointer, address, 0) == 1
    }

    /// SHA-256 of its DER.
    var digest: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard X509_digest(self.pointer, EVP_sha256(), &bytes, &count) == 1 else { return [] }
        return Array(bytes.prefix(Int(count)))
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int {
        var moment = tm()
        guard let time, ASN1_TIME_to_tm(time, &moment) == 1 else { return 0 }
        return timegm(&moment)
    }
}
