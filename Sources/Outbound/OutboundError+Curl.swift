// libcurl's codes in our words.

import CCurl

extension OutboundError {
    /// `detail` is libcurl's own text; a foreign server may have chosen parts of it.
    init(_ code: CURLcode, detail: String) {
        let text = printable(detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail)
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_NO_CONNECTION_AVAILABLE:
            self = .unreachable(text)
        case CURLE_OPERATION_TIMEDOUT:
            self = .timedOut
        // A header line of more than 100 KB is reported as lack of memory.
        case CURLE_FILESIZE_EXCEEDED, CURLE_OUT_OF_MEMORY:
            self = .tooLarge
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT:
            self = .certificate(text)
        // RFC 8446 §4.4.2.4: whether our certificate is taken is known only after the handshake, when we read.
        case CURLE_RECV_ERROR where text.contains(" alert "), CURLE_SEND_ERROR where text.contains(" alert "):
            self = .certificate(text)
        default:
            self = .broken(text)
        }
    }
}
