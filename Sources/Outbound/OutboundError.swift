import CCurl
import EventLoop

/// Why a request got no response, in our words instead of libcurl's. The texts are for the log, so they contain no
/// query, body or field of a request.
package enum OutboundError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no connection: the name is unknown, no server listens, or there is no route.
    case unreachable(String)
    /// No descriptor was left for a connection. Nothing was sent, and we know nothing about the server.
    case noDescriptors(String)
    /// The deadline or the connect timeout has passed.
    case timedOut
    /// The response's body or head is larger than allowed.
    case tooLarge
    /// TLS failed: unknown issuer, wrong name, out of date, or version too old.
    case certificate(String)
    /// We did not send it, because the host, scheme, address or request is not allowed.
    case refused(String)
    /// A request that may happen once was sent, in part at least, and its connection ended before the first line of the
    /// response. It counts as taken.
    case closed(String)
    /// The response's body is encoded in a way that we do not know, or its encoding is damaged.
    case encoding(String)
    /// There was a connection, but no valid response on it.
    case broken(String)
    /// It waited too long for its turn, or too many requests wait.
    case busy
    /// The task was cancelled, or the client was closed.
    case cancelled

    package var description: String {
        switch self {
        case .unreachable(let detail), .certificate(let detail), .refused(let detail), .closed(let detail),
            .encoding(let detail), .broken(let detail):
            detail
        case .noDescriptors(let detail): "\(detail); \(Descriptors.advice)"
        case .timedOut: "no response in time"
        case .tooLarge: "the response is larger than allowed"
        case .busy: "too many requests are waiting for this server; try again"
        case .cancelled: "cancelled"
        }
    }
}

// MARK: - From libcurl

extension OutboundError {
    /// `detail` is libcurl's own text. A foreign server may have chosen parts of it.
    init(_ code: CURLcode, detail: String) {
        let text = printable(detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail)
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_NO_CONNECTION_AVAILABLE:
            self = .unreachable(text)
        case CURLE_OPERATION_TIMEDOUT:
            self = .timedOut
        // libcurl reports a header line of more than 100 KB as lack of memory.
        case CURLE_FILESIZE_EXCEEDED, CURLE_OUT_OF_MEMORY:
            self = .tooLarge
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT:
            self = .certificate(text)
        // RFC 8446 §4.4.2.4: only after the handshake, when we read, do we know whether the server accepts our
        // certificate.
        case CURLE_RECV_ERROR where text.contains(" alert "), CURLE_SEND_ERROR where text.contains(" alert "):
            self = .certificate(text)
        default:
            self = .broken(text)
        }
    }
}

/// Makes a foreign text fit for a log line: printable ASCII only, and at most 200 bytes.
func printable(_ text: String) -> String {
    let printableBytes = text.utf8.prefix(200).map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: printableBytes, as: UTF8.self)
}
