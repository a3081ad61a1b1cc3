// Maps the errors of logins to problems.

import HTTPServer
import HTTPWire
import Logins

extension Problem {
    package init(refusal: LoginFlowError) {
        switch refusal {
        case .unknownProvider: self.init(Code.unknownProvider, member: "provider")
        case .providerOff: self.init(Code.providerOff, member: "provider")
        case .unknownApp: self.init(Code.unknownApp, member: "app")
        case .parameterNotAllowed(let name): self.init(Code.parameterNotAllowed, member: "parameters.\(name)")
        case .platformMissing: self.init(Code.missingMember, member: "platform")
        case .systemMissing: self.init(Code.missingMember, member: "os")
        case .platformNotSupported(let member): self.init(Code.platformNotSupported, member: member)
        case .thumbprintMissing: self.init(Code.thumbprintRequired, member: "dpop_jkt")
        case .actionMissing: self.init(Code.actionRequired, member: "actions")
        case .differentBody: self.init(Code.differentBody)
        case .unknownLogin: self.init(Code.unknownLogin)
        case .gone: self.init(Code.gone)
        case .notFinal: self.init(Code.notFinal)
        case .notOurs: self.init(Code.notOurs, member: "url")
        case .codeTooEarly: self.init(Code.notOurs, member: "code")
        case .wrongCode(let triesLeft): self.init(triesLeft: triesLeft)
        case .overBudget(let time): self.init(Code.tooManyLogins, retryAfter: time)
        case .tooManyPending: self.init(Code.tooManyPending)
        case .brokerUnreachable: self.init(Code.brokerUnreachable)
        case .overloaded: self.init(Code.temporarilyUnavailable)
        case .storeUnavailable: self.init(Code.storeUnavailable)
        }
    }
}

/// Runs `work`, and rethrows its error as a problem.
nonisolated(nonsending) func translatingErrors<Value>(
    _ work: nonisolated(nonsending) () async throws(LoginFlowError) -> Value
) async throws(Problem) -> Value {
    do throws(LoginFlowError) {
        return try await work()
    } catch {
        throw Problem(refusal: error)
    }
}

/// Maps the server's own refusals to problem codes.
extension Problem.Code {
    package init(_ refusal: ServerRefusal) {
        switch refusal.cause {
        case .connectionRefused: self = .tooManyConnections
        case .handlerTimedOut: self = .responseTimeout
        case .plainHTTP: self = .httpsRequired
        case .malformed, .unknownExpectation, .noProxy, .requestTimedOut, .handlerFailed:
            // The status identifies the code. If no code has it, the error is ours and not the caller's.
            self = Self.allCases.first { $0.isOfHTTP && $0.status == refusal.status } ?? .internalError
        }
    }
}
