/// How far a login has come.
///
/// A status that this version does not know reads as `pending` while the login is not final: continue to poll, and
/// perform `next`. When it is final, it reads as `failed`.
public struct LoginStatus: Coded {
    /// As in the API, such as `awaiting_return`.
    public let code: String
    /// Whether this status is final.
    public let isFinal: Bool

    /// No response has come from the broker.
    public static let pending = LoginStatus(code: "pending", isFinal: false)
    /// The broker has approved, and the server checks its response.
    public static let exchanging = LoginStatus(code: "exchanging", isFinal: false)
    /// The user has logged in, but has not returned to this app.
    public static let awaitingReturn = LoginStatus(code: "awaiting_return", isFinal: false)
    /// The user has logged in; see `identity` and `assertion`.
    public static let completed = LoginStatus(code: "completed", isFinal: true)
    /// The login failed; see `reason`.
    public static let failed = LoginStatus(code: "failed", isFinal: true)
    /// The user or the app cancelled.
    public static let cancelled = LoginStatus(code: "cancelled", isFinal: true)
    /// The login was not finished in time.
    public static let expired = LoginStatus(code: "expired", isFinal: true)

    private static let all = [
        pending, exchanging, awaitingReturn, completed, failed, cancelled, expired,
    ]

    private init(code: String, isFinal: Bool) { (self.code, self.isFinal) = (code, isFinal) }

    /// Reads a status. `isFinal` is the server's word, and nil if it said nothing.
    init(_ text: String, isFinal: Bool?) {
        let status = Self.all.first { $0.code == text }
        let isFinal = isFinal ?? status?.isFinal ?? false
        let isConsistent = status?.isFinal == isFinal
        self = status.flatMap { isConsistent ? $0 : nil } ?? (isFinal ? .failed : .pending)
    }
}
