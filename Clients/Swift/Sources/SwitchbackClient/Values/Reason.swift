/// Why a login did not complete.
///
/// The broker's own words are only in the server's log.
public struct Reason: Hashable, Sendable {
    /// What to decide by.
    public let code: Code
    /// Whether a new login may succeed.
    public let isRetryable: Bool

    init?(_ json: JSONValue?) {
        guard let code = json?["code"]?.string else { return nil }
        self.code = Code(code: code)
        self.isRetryable = json?["retryable"]?.bool ?? false
    }

    /// What happened, and what the app should do. For a code that you do not know, decide by `isRetryable`.
    public struct Code: Coded {
        /// As the server names it, for logs: `user_cancelled`.
        public let code: String

        init(code: String) { self.code = code }

        /// The user declined. Offer the login button again.
        public static let userCancelled = Code(code: "user_cancelled")
        /// The app called cancel.
        public static let appCancelled = Code(code: "app_cancelled")
        /// The login was not finished in time. Offer the login button again.
        public static let timeout = Code(code: "timeout")
        /// The broker reported an error. Offer the login button again.
        public static let brokerError = Code(code: "broker_error")
        /// The broker could not be reached. Offer the login button again after a while.
        public static let brokerUnavailable = Code(code: "broker_unavailable")
        /// The broker's redirect failed validation. Show the reference, and send the user to support.
        public static let invalidResponse = Code(code: "invalid_response")
        /// The broker's tokens failed validation. Show the reference, and send the user to support.
        public static let invalidToken = Code(code: "invalid_token")
        /// The broker let the user in without a new authentication. Offer the login button again.
        public static let notFresh = Code(code: "not_fresh")
        /// The e-ID was not strong enough. Say so.
        public static let assuranceTooLow = Code(code: "assurance_too_low")
        /// The server lost the login. Offer the login button again.
        public static let interrupted = Code(code: "interrupted")
    }
}
