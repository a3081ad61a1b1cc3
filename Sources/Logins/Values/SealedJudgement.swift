/// A broker's verdict on a login as its row may keep it: `Judgement`, with the code sealed.
import Brokers

enum SealedJudgement: Equatable, Sendable {
    /// The code, sealed.
    case granted(code: [UInt8])
    case denied(Reason)
    /// The browser is back, and the broker is asked for the rest: whose page it sees is known from now on.
    case landed
}

extension BrokerError {
    /// What the app is told of its login.
    var reason: Reason {
        switch self.kind {
        case .unavailable: .brokerUnavailable
        case .notAsked: .interrupted
        case .cancelled: .userCancelled
        case .expired: .timeout
        case .refused: .brokerError
        case .invalidResponse, .foreign: .invalidResponse
        case .invalidToken: .invalidToken
        case .notFresh: .notFresh
        case .assuranceTooLow: .assuranceTooLow
        }
    }

    /// What the app is told where there is no login yet.
    var refusal: LoginFlowError { self.kind == .notAsked ? .overloaded : .brokerUnreachable }
}
