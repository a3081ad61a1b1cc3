// Sends authorization responses: as they are, or signed if the relying party requested a JWT (JARM).

import Base
import HTTPWire

extension ProviderCore {
    /// Returns a response with a code for this test user, or what the fault makes of it.
    func answer(
        _ authRequest: SandboxAuthorizationRequest, _ person: SandboxIdentity, _ fault: SandboxFault?,
        authenticatedAt: Timestamp? = nil
    ) -> SandboxAuthorizationResponse {
        let code = RandomName.make()
        let now = self.now()
        let grant = Grant(authRequest, identity: person, fault: fault, authenticatedAt: authenticatedAt ?? now, at: now)
        guard self.memory.withLock({ $0.grants.insert(grant, for: code, at: now) }) else {
            return .error(.temporarilyUnavailable, to: authRequest.address, issuer: self.issuer)
        }
        var answer = SandboxAuthorizationResponse.code(code, to: authRequest.address, issuer: self.issuer)
        if case .authorizationResponse(let change)? = fault?.effect { change(&answer) }
        // This is where its app would have returned to.
        if answer.isMalformed { answer.otherTarget = authRequest.parameters["app_callback_uri"] }
        return answer
    }

    func cancelled(_ authRequest: SandboxAuthorizationRequest) -> SandboxAuthorizationResponse {
        .error(.accessDenied, "the user declined", to: authRequest.address, issuer: self.issuer)
    }

    /// Returns the response for a client whose user has a session, if it did not request a fresh login. The user is
    /// then the first test user, logged in an hour ago. Nil unless a fault sets a session.
    func passedBySession(_ authRequest: SandboxAuthorizationRequest) -> Response? {
        guard self.hasSession(for: authRequest.client, state: authRequest.address.state),
            !authRequest.demandsFreshLogin, let person = self.eID(for: authRequest).users.first
        else { return nil }
        return self.response(self.answer(authRequest, person, nil, authenticatedAt: self.now() - Grant.sessionAge))
    }

    func response(_ answer: SandboxAuthorizationResponse, _ fault: SandboxFault? = nil) -> Response {
        let answer = self.broker.written(answer)
        guard answer.address.mode.isJWT, !answer.isPlain else { return answer.response }
        var draft = self.draft(answer)
        if case .signedResponse(let change)? = fault?.effect { change(&draft) }
        guard let jwt = try? self.issue(draft) else {
            return ErrorPage(
                status: .internalServerError, code: "server_error", description: "The response cannot be signed."
            ).response
        }
        return answer.sealed(in: jwt).response
    }
}
