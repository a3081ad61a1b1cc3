// The names that a certificate covers, and its digest.

import Cryptography
import CSSL

extension Certificate {
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
}
