import Brokers

/// An authorization result as its row may store it: `AuthorizationResult` with the code encrypted.
enum SealedAuthorizationResult: Equatable, Sendable {
    /// The code, encrypted.
    case granted(code: [UInt8])
    case denied(Reason)
    /// The browser has returned, and we poll the broker for the rest. From now on we know which browser may see the
    /// page.
    case landed
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
