import Base
import Brokers

@testable import Logins

/// A broker's verdict by what a login makes of it: a code that seals to itself, or the reason.
enum ExampleResponse {
    case granted(code: [UInt8])
    case denied(Reason)
    case landed

    fileprivate var result: AuthorizationResult {
        switch self {
        case .granted(let code): .granted(code: Secret(code))
        case .denied(let reason): .denied(BrokerError(Self.kind(of: reason), .interrupted))
        case .landed: .landed
        }
    }

    private static func kind(of reason: Reason) -> BrokerError.Kind {
        switch reason {
        case .userCancelled, .appCancelled: .cancelled
        case .timeout: .expired
        case .brokerError: .refused
        case .brokerUnavailable: .unavailable
        case .invalidResponse: .invalidResponse
        case .invalidToken: .invalidToken
        case .notFresh: .notFresh
        case .assuranceTooLow: .assuranceTooLow
        case .interrupted: .hungUp
        }
    }
}

extension Login {
    /// Takes a response as `CallbackAcceptance` does.
    mutating func acceptCallback(
        _ answer: ExampleResponse, to attempt: [UInt8], hash: [UInt8], byApp: Bool = false, hasCookie: Bool = false,
        by holder: String = "", pageCode: () -> [UInt8] = { [] }, at now: Timestamp
    ) -> CallbackAction {
        self.acceptCallback(
            answer.result, to: attempt, hash: hash, byApp: byApp, hasCookie: hasCookie, by: holder, pageCode: pageCode,
            at: now, sealing: \.exposed)
    }
}
