import CSSL

/// What several files need of OpenSSL: its errors as text, and PEM from memory.
enum OpenSSL {
    /// OpenSSL's own words for its last error.
    static var lastError: String {
        let code = ERR_peek_last_error()
        return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Reads PEM (RFC 7468). Clears OpenSSL's error queue before and after, so that no later call finds our errors.
    static func read<Result>(pem: [UInt8], _ body: (OpaquePointer) -> Result?) -> Result? {
        guard let size = Int32(exactly: pem.count) else { return nil }
        ERR_clear_error()
        defer { ERR_clear_error() }
        return pem.withUnsafeBytes { bytes in
            guard let file = BIO_new_mem_buf(bytes.baseAddress, size) else { return nil }
            defer { BIO_free(file) }
            return body(file)
        }
    }
}
