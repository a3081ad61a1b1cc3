import Brokers

/// Why a login ended without an identity. The list is closed: apps decide by it, and users see a sentence for it.
package enum Reason: String, CaseIterable, Sendable {
    /// The user cancelled, at the e-ID or its broker.
    case userCancelled = "user_cancelled"
    /// The app called `cancel`.
    case appCancelled = "app_cancelled"
    /// The login was not finished in time.
    case timeout
    /// The broker responded with an OAuth error.
    case brokerError = "broker_error"
    /// The broker could not be reached, or responded with something that is not OAuth.
    case brokerUnavailable = "broker_unavailable"
    /// The broker's authorization response failed validation: a repeated parameter, a wrong `iss`, no code.
    case invalidResponse = "invalid_response"
    /// A token or the userinfo failed validation, so we do not trust it.
    case invalidToken = "invalid_token"
    /// The broker did not make the user authenticate for this login.
    case notFresh = "not_fresh"
    /// The level of assurance is lower than requested.
    case assuranceTooLow = "assurance_too_low"
    /// We lost the login on our side.
    case interrupted

    /// True if a new login is likely to succeed.
    package var retryable: Bool {
        switch self {
        case .userCancelled, .appCancelled, .timeout, .brokerError, .brokerUnavailable, .notFresh, .interrupted: true
        case .invalidResponse, .invalidToken, .assuranceTooLow: false
        }
    }
}

extension BrokerError {
    /// The reason that the app gets for its login.
    var reason: Reason {
        switch self.kind {
        case .unavailable: .brokerUnavailable
        case .notAsked, .hungUp: .interrupted
        case .cancelled: .userCancelled
        case .expired: .timeout
        case .refused: .brokerError
        case .invalidResponse, .foreign: .invalidResponse
        case .invalidToken: .invalidToken
        case .notFresh: .notFresh
        case .assuranceTooLow: .assuranceTooLow
        }
    }

    /// The error that the app gets if there is no login yet.
    var refusal: LoginFlowError { self.kind == .notAsked ? .overloaded : .brokerUnreachable }
}
