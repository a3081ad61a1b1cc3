/// Why a request brought no answer at all.
///
/// The detail is the sender's own words for the log: no secret and nothing that the provider wrote.
package enum FetchError: Error, Equatable, Sendable {
    case unreachable(String)
    /// We had no file descriptor left to ask with: not sent, and no fault of the provider.
    case noDescriptors(String)
    case timedOut(String)
    case tooLarge(String)
    case tls(String)
    /// Not sent, or not followed: the host is not allowed, its address is private, it is a redirect.
    case refused(String)
    /// What came was not HTTP.
    case broken(String)
    /// Not sent: too many requests wait in our own queue.
    case busy
    /// Not sent to its end, because nobody waits for it any more.
    case cancelled

    /// The provider was not asked, for reasons of our own that may be over in a moment.
    var isOurs: Bool {
        switch self {
        case .noDescriptors, .busy, .cancelled: true
        case .unreachable, .timedOut, .tooLarge, .tls, .refused, .broken: false
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
        case .broken: "broken"
        case .busy: "busy"
        case .cancelled: "cancelled"
        }
    }

    package var detail: String {
        switch self {
        case .unreachable(let detail), .noDescriptors(let detail), .timedOut(let detail), .tooLarge(let detail),
            .tls(let detail),
            .refused(let detail), .broken(let detail):
            detail
        case .busy: "too many requests wait"
        case .cancelled: "the exchange was given up"
        }
    }
}
