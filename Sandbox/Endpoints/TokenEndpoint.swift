import HTTPServer
import HTTPWire

/// The token endpoint: exchanges a code or a decided order, once, for an access token and an ID token (Core §3.1.3).
struct TokenEndpoint: Sendable {
    let core: ProviderCore

    /// Counts the request at once, and responds when the gate lets it pass.
    func handle(_ request: Request, _ responder: ResponseHandle) {
        let form = Parameters(of: request)
        let now = self.core.now()
        self.core.memory.withLock { memory in
            memory.requestLog.count(.token)
            if let code = form?["code"] { memory.requestLog.countToken(code, at: now) }
        }
        self.core.gate.pass {
            self.answer(request, form).send(on: responder, lateBy: self.core.lateness)
        }
    }

    private func answer(_ request: Request, _ form: Parameters?) -> JSONResponse {
        do {
            return try self.tokens(request, form)
        } catch {
            return error.answer
        }
    }

    private func tokens(_ request: Request, _ form: Parameters?) throws(OAuthRefusal) -> JSONResponse {
        guard let form else { throw .init(.invalidRequest, "the body is not a form") }
        if let name = form.repeated.first { throw .init(.invalidRequest, "\(name) is repeated") }
        let client = try ClientProof(core: self.core, endpoint: ProviderRoute.token.rawValue).client(request, form)
        self.core.memory.withLock { $0.requestLog.note(token: form.all, by: client.clientID) }
        guard let type = form["grant_type"] else { throw .init(.invalidRequest, "grant_type is missing") }
        let accessToken = RandomName.make()
        if let redeemedGrant = try self.core.broker.redeem(form, by: client, accessToken: accessToken, self.core) {
            return try self.answer(redeemedGrant, accessToken)
        }
        guard type == GrantType.authorizationCode.rawValue else { throw .init(.unsupportedGrantType, "not \(type)") }
        guard let code = form["code"] else { throw .init(.invalidRequest, "code is missing") }
        let redemption = CodeRedemption(
            code: code, client: client, redirectURI: form["redirect_uri"], verifier: form["code_verifier"],
            accessToken: accessToken, now: self.core.now())
        let redeemedGrant = try self.core.memory.withLock { memory throws(OAuthRefusal) in
            try redemption.redeem(in: &memory)
        }
        return try self.answer(redeemedGrant, accessToken)
    }

    private func answer(_ redeemedGrant: RedeemedGrant, _ accessToken: String) throws(OAuthRefusal) -> JSONResponse {
        let grant = redeemedGrant.grant
        var answer = JSONResponse(
            .ok,
            [
                "access_token": .string(accessToken),
                "token_type": "Bearer",
                "expires_in": redeemedGrant.expiresIn,
                "scope": .string(grant.scope.joined(separator: " ")),
                "id_token": .string(try self.idToken(grant, redeemedGrant.code, accessToken)),
            ])
        if case .tokenAnswer(let change)? = grant.fault?.effect { change(&answer) }
        return answer
    }

    private func idToken(_ grant: Grant, _ code: String?, _ accessToken: String) throws(OAuthRefusal) -> String {
        var draft = self.core.idToken(grant, code: code, accessToken: accessToken)
        if case .idToken(let change)? = grant.fault?.effect { change(&draft) }
        do {
            return try self.core.issue(draft, encryption: grant.client.idTokenEncryption)
        } catch {
            throw OAuthRefusal(.serverError, "the ID token cannot be signed")
        }
    }
}
