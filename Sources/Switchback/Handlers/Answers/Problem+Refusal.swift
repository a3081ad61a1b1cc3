/// What a refusal of a login is called in an answer.
import Logins

extension Problem {
    package init(refusal: Refusal) {
        switch refusal {
        case .unknownProvider: self.init(Code.unknownProvider, member: "provider")
        case .unknownApp: self.init(Code.unknownApp, member: "app")
        case .parameterNotAllowed(let name): self.init(Code.parameterNotAllowed, member: "parameters.\(name)")
        case .platformMissing: self.init(Code.missingMember, member: "platform")
        case .systemMissing: self.init(Code.missingMember, member: "os")
        case .platformNotSupported(let member): self.init(Code.platformNotSupported, member: member)
        case .differentBody: self.init(Code.differentBody)
        case .unknownLogin: self.init(Code.unknownLogin)
        case .gone: self.init(Code.gone)
        case .notFinal: self.init(Code.notFinal)
        case .notOurs: self.init(Code.notOurs, member: "url")
        case .wrongCode(let triesLeft): self.init(triesLeft: triesLeft)
        case .overBudget(let time): self.init(Code.tooManyLogins, retryAfter: time)
        case .tooManyPending: self.init(Code.tooManyPending)
        case .brokerUnreachable: self.init(Code.brokerUnreachable)
        case .overloaded: self.init(Code.temporarilyUnavailable)
        case .storeUnavailable: self.init(Code.storeUnavailable)
        }
    }
}

/// Runs what may be refused, and says it as a problem.
nonisolated(nonsending) func answering<Value>(
    _ work: nonisolated(nonsending) () async throws(Refusal) -> Value
) async throws(Problem) -> Value {
    do throws(Refusal) {
        return try await work()
    } catch {
        throw Problem(refusal: error)
    }
}
