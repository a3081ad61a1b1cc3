/// Why a login ended without an identity. A closed list; apps decide by it, people get a sentence for it.
package enum Reason: String, CaseIterable, Sendable {
    /// The person said no, at the e-ID or its broker.
    case userCancelled = "user_cancelled"
    /// The app called `cancel`.
    case appCancelled = "app_cancelled"
    /// Nobody finished it in time.
    case timeout
    /// The broker answered with an OAuth error.
    case brokerError = "broker_error"
    /// The broker could not be reached, or answered with something that is not OAuth.
    case brokerUnavailable = "broker_unavailable"
    /// The broker's redirect broke a rule: a repeated parameter, a wrong `iss`, no code.
    case invalidResponse = "invalid_response"
    /// A token or the userinfo broke a rule: it is not believed.
    case invalidToken = "invalid_token"
    /// The broker let somebody through who did not authenticate for this login.
    case notFresh = "not_fresh"
    /// The level of assurance is below what was asked for.
    case assuranceTooLow = "assurance_too_low"
    /// We lost it on our side.
    case interrupted

    /// True when a new login may well succeed.
    package var retryable: Bool {
        switch self {
        case .userCancelled, .appCancelled, .timeout, .brokerError, .brokerUnavailable, .notFresh, .interrupted: true
        case .invalidResponse, .invalidToken, .assuranceTooLow: false
        }
    }
}
