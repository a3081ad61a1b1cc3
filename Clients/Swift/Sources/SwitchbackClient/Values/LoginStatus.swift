/// How far a login has come.
///
/// A status that this version does not know reads as `pending` while the login is not final: continue to poll, and
/// perform `next`. When it is final, it reads as `failed`.
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

    /// Reads a status. `isFinal` is the server's word, and nil if it said nothing.
    init(_ text: String, isFinal: Bool?) {
        let status = LoginStatus(rawValue: text)
        let isFinal = isFinal ?? status?.isFinal ?? false
        let isConsistent = status?.isFinal == isFinal
        self = status.flatMap { isConsistent ? $0 : nil } ?? (isFinal ? .failed : .pending)
    }

    /// Whether this status is final.
    public var isFinal: Bool {
        switch self {
        case .pending, .exchanging, .awaitingReturn: false
        case .completed, .failed, .cancelled, .expired: true
        }
    }
}
