/// Why a request got no response at all.
///
/// `detail` is in the sender's own words, for the log. It contains no secret and no text of the provider.
package enum FetchError: Error, Equatable, Sendable {
    case unreachable(String)
    /// We had no file descriptor left. Nothing was sent, and it is not the provider's fault.
    case noDescriptors(String)
    case timedOut(String)
    case tooLarge(String)
    case tls(String)
    /// Not sent, or not followed: the host is not allowed, its address is private, or the response is a redirect.
    case refused(String)
    /// A request that may happen once was sent, in part at least, and its connection ended before the response began. We
    /// do not know whether the provider got it, so it counts as taken.
    case closed(String)
    /// The response is encoded (RFC 9110 §8.4) in a way that we do not know, or its encoding is damaged.
    case encoding(String)
    /// The response was not HTTP.
    case broken(String)
    /// Not sent, because too many requests wait in our own queue.
    case busy
    /// Cancelled, because the caller no longer waits.
    case cancelled

    /// The provider was not asked, for reasons of our own that may be over soon.
    var isOurs: Bool {
        switch self {
        case .noDescriptors, .busy, .cancelled: true
        case .unreachable, .timedOut, .tooLarge, .tls, .refused, .closed, .encoding, .broken: false
        }
    }

    package var raw: String {
        switch self {
        case .unreachable: "unreachable"
        case .noDescriptors: "no_descriptors"
        case .timedOut: "timed_out"
        case .tooLarge: "too_large"
        case .tls: "tls"
        case .refused: "refused"
        case .closed: "closed"
        case .encoding: "encoding"
        case .broken: "broken"
        case .busy: "busy"
        case .cancelled: "cancelled"
        }
    }

    package var detail: String {
        switch self {
        case .unreachable(let detail), .noDescriptors(let detail), .timedOut(let detail), .tooLarge(let detail),
            .tls(let detail), .refused(let detail), .closed(let detail), .encoding(let detail), .broken(let detail):
            detail
        case .busy: "too many requests are waiting"
        case .cancelled: "the request was cancelled"
        }
    }
}
