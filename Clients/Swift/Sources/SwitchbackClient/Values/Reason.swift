/// Why a login did not complete.
///
/// The codes are a closed list of the server's. The broker's own words are only in the server's log.
public struct Reason: Hashable, Sendable {
    /// What to decide by.
    public let code: Code
    /// Whether a new login may succeed.
    public let isRetryable: Bool

    init?(_ json: JSONValue?) {
        guard let code = json?["code"]?.string else { return nil }
        self.code = Code(code)
        self.isRetryable = json?["retryable"]?.bool ?? false
    }

    /// What happened, and what the app should do.
    public enum Code: Hashable, Sendable {
        /// The user declined. Offer the login button again.
        case userCancelled
        /// The app called cancel.
        case appCancelled
        /// The login was not finished in time. Offer the login button again.
        case timeout
        /// The broker reported an error. Offer the login button again.
        case brokerError
        /// The broker could not be reached. Offer the login button again after a while.
        case brokerUnavailable
        /// The broker's redirect failed validation. Show the reference, and send the user to support.
        case invalidResponse
        /// The broker's tokens failed validation. Show the reference, and send the user to support.
        case invalidToken
        /// The broker let the user in without a new authentication. Offer the login button again.
        case notFresh
        /// The e-ID was not strong enough. Say so.
        case assuranceTooLow
        /// The server lost the login. Offer the login button again.
        case interrupted
        /// A code of a later version. Decide by `isRetryable`.
        case other(String)

        init(_ text: String) { self = Self.known[text] ?? .other(text) }

        /// The code as the server names it, for logs: `user_cancelled`.
        public var name: String {
            if case .other(let text) = self { return text }
            return Self.known.first { $0.value == self }?.key ?? ""
        }

        static let known: [String: Code] = [
            "user_cancelled": .userCancelled, "app_cancelled": .appCancelled, "timeout": .timeout,
            "broker_error": .brokerError, "broker_unavailable": .brokerUnavailable,
            "invalid_response": .invalidResponse, "invalid_token": .invalidToken, "not_fresh": .notFresh,
            "assurance_too_low": .assuranceTooLow, "interrupted": .interrupted,
        ]
    }
}
