/// Why a login did not complete.

/// From a closed list of the server's; the broker's own words are only in its log.
public struct Reason: Hashable, Sendable {
    /// Decide by this.
    public let code: Code
    /// Whether a new login may well succeed.
    public let isRetryable: Bool

    init?(_ json: JSONValue?) {
        guard let code = json?["code"]?.string else { return nil }
        self.code = Code(code)
        self.isRetryable = json?["retryable"]?.bool ?? false
    }

    /// What happened, and with it what the app should do.
    public enum Code: Hashable, Sendable {
        /// The person said no. Offer the button again.
        case userCancelled
        /// The app called cancel.
        case appCancelled
        /// Nobody finished it in time. Offer the button again.
        case timeout
        /// The broker reported an error. Offer the button again.
        case brokerError
        /// The broker could not be reached. Offer the button again, in a while.
        case brokerUnavailable
        /// The broker's redirect broke a rule. Show the reference, and send people to support.
        case invalidResponse
        /// The broker's answer cannot be believed. Show the reference, and send people to support.
        case invalidToken
        /// The broker let somebody through who did not authenticate now. Offer the button again.
        case notFresh
        /// The e-ID was not strong enough. Say so.
        case assuranceTooLow
        /// The server lost it. Offer the button again.
        case interrupted
        /// A code of a later version: go by `isRetryable`.
        case other(String)

        init(_ text: String) { self = Self.known[text] ?? .other(text) }

        /// The server's word, for logs: `user_cancelled`.
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
