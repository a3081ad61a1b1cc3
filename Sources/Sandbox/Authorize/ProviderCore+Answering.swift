/// How an authorization answer leaves: as it is, or signed where the relying party asked for a JWT (JARM).
import Base
import HTTPWire

extension ProviderCore {
    /// A code for this person, or what the fault makes of it.
    func answer(
        _ ask: AuthorizationAsk, _ person: SandboxIdentity, _ fault: SandboxFault?, authenticatedAt: Timestamp? = nil
    ) -> AuthorizationAnswer {
        let code = Self.unguessable()
        let now = self.now()
        let grant = Grant(ask, identity: person, fault: fault, authenticatedAt: authenticatedAt ?? now, at: now)
        guard self.memory.withLock({ $0.grants.insert(grant, for: code, at: now) }) else {
            return .error("temporarily_unavailable", to: ask.address, issuer: self.issuer)
        }
        var answer = AuthorizationAnswer.code(code, to: ask.address, issuer: self.issuer)
        if case .authorizationResponse(let change)? = fault?.effect { change(&answer) }
        // Where its app would have come back to.
        if answer.isMalformed { answer.otherTarget = ask.parameters["app_callback_uri"] }
        return answer
    }

    func cancelled(_ ask: AuthorizationAsk) -> AuthorizationAnswer {
        .error("access_denied", "the person said no", to: ask.address, issuer: self.issuer)
    }

    /// As this system writes it.
    func written(_ answer: AuthorizationAnswer) -> AuthorizationAnswer {
        var answer = answer
        switch self.system {
        case .oidc, .idura, .digid: break
        // It promises `iss`, and leaves it out of errors.
        case .signaturgruppen: if answer["error"] != nil { answer["iss"] = nil }
        case .vipps: answer["iss"] = nil
        }
        return answer
    }

    func response(_ answer: AuthorizationAnswer, _ fault: SandboxFault? = nil) -> Response {
        let answer = self.written(answer)
        guard answer.address.mode.isJWT, !answer.isPlain else { return answer.response }
        var draft = JWTDraft.response(answer, issuer: self.issuer, now: self.now())
        if case .signedResponse(let change)? = fault?.effect { change(&draft) }
        guard let jwt = try? self.issue(draft) else {
            return ErrorPage(
                status: .internalServerError, code: "server_error", description: "The answer cannot be signed."
            ).response
        }
        return answer.sealed(in: jwt).response
    }
}
