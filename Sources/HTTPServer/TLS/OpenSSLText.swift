/// What OpenSSL says about its last error, in its words.
import CSSL

enum OpenSSLText {
    static var lastError: String {
        let code = ERR_peek_last_error()
        return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
