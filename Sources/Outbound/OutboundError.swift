// Why there is no answer, in our words and no longer in libcurl's.

import CCurl
import EventLoop

/// Why there is no answer. The texts are for the log: no query, no body, no field of a request is in them.
package enum OutboundError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No connection: the name is unknown, nobody listens, no route.
    case unreachable(String)
    /// No descriptor was left to open a connection with. Nothing was sent, and nothing is known of the server.
    case noDescriptors(String)
    /// The deadline or the time for connecting is over.
    case timedOut
    /// The answer's body or head is larger than allowed.
    case tooLarge
    /// TLS was not agreed upon: unknown issuer, other name, out of date, version too old.
    case certificate(String)
    /// We did not ask: host, scheme, address or request is against the rules.
    case refused(String)
    /// There was a connection, and no proper answer on it.
    case broken(String)
    /// It was not its turn for too long, or too many wait.
    case busy
    /// The task was cancelled, or the client closed.
    case cancelled

    package var description: String {
        switch self {
        case .unreachable(let detail), .certificate(let detail), .refused(let detail), .broken(let detail): detail
        case .noDescriptors(let detail): "\(detail); \(Descriptors.advice)"
        case .timedOut: "no answer in time"
        case .tooLarge: "the answer is larger than allowed"
        case .busy: "too many requests wait for this server; try again"
        case .cancelled: "cancelled"
        }
    }
}

// MARK: - From libcurl

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

/// The text of a stranger, made fit for a log line: printable ASCII only, and short.
func printable(_ text: String) -> String {
    let shown = text.utf8.prefix(200).map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: shown, as: UTF8.self)
}
