/// How far a login has come.
///
/// A status that this version does not know reads as `pending`: continue to poll, and perform `next`.
public enum LoginStatus: String, CaseIterable, Sendable {
    /// No response has come from the broker.
    case pending
    /// The broker has approved, and the server checks its response.
    case exchanging
    /// The user has logged in, but has not returned to this app.
    case awaitingReturn = "awaiting_return"
    /// The user has logged in; see `identity` and `assertion`.
    case completed
    /// The login failed; see `reason`.
    case failed
    /// The user or the app cancelled.
    case cancelled
    /// The login was not finished in time.
    case expired

    init(_ text: String?) { self = text.flatMap(LoginStatus.init(rawValue:)) ?? .pending }

    /// Whether this status is final.
    public var isFinal: Bool {
        switch self {
        case .pending, .exchanging, .awaitingReturn: false
        case .completed, .failed, .cancelled, .expired: true
        }
    }
}
