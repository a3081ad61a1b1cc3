/// How far a login has come.

/// A status that this version does not know is `pending`: poll on, and do `next`.
public enum LoginStatus: String, CaseIterable, Sendable {
    /// Nobody has come back from the broker.
    case pending
    /// The broker has said yes, and its answer is being checked.
    case exchanging
    /// The person has logged in; the way back to this app is missing.
    case awaitingReturn = "awaiting_return"
    /// Here is who it is.
    case completed
    /// See the reason.
    case failed
    /// The person or the app gave up.
    case cancelled
    /// Nobody finished it in time.
    case expired

    init(_ text: String?) { self = text.flatMap(LoginStatus.init(rawValue:)) ?? .pending }

    /// Whether nothing more will come.
    public var isFinal: Bool {
        switch self {
        case .pending, .exchanging, .awaitingReturn: false
        case .completed, .failed, .cancelled, .expired: true
        }
    }
}
