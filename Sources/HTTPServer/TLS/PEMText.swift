/// Reading PEM (RFC 7468) from memory.
import CSSL

enum PEMText {
    /// Leaves no error behind, for OpenSSL keeps them for whoever asks next.
    static func read<Result>(_ pem: [UInt8], _ body: (OpaquePointer) -> Result?) -> Result? {
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
