import HTTPServer
import HTTPWire
import StrictJSON

/// The userinfo endpoint: claims for a bearer token (Core §5.3, RFC 6750).
struct UserinfoEndpoint: Sendable {
    let core: ProviderCore

    func handle(_ request: Request, _ responder: ResponseHandle) {
        self.core.count(.userinfo)
        self.answer(request).send(on: responder, lateBy: self.core.lateness)
    }

    private func answer(_ request: Request) -> JSONResponse {
        guard let token = Self.bearer(request) else {
            return JSONResponse(.unauthorized, [:]).challenging("Bearer realm=\"sandbox\"")
        }
        let now = self.core.now()
        let access = self.core.memory.withLock { memory in
            let access = memory.access.value(for: token, at: now)
            if let access { memory.requestLog.countUserinfo(access.code) }
            return access
        }
        guard let grant = access?.grant else {
            return .error(.invalidToken, status: .unauthorized)
                .challenging("Bearer realm=\"sandbox\", error=\"invalid_token\"")
        }
        var answer = JSONResponse(.ok, self.claims(of: grant))
        if case .userinfo(let change)? = grant.fault?.effect { change(&answer) }
        return self.sealed(answer, for: grant)
    }

    private func claims(of grant: Grant) -> JSON.Object {
        if let claims = self.core.broker.userinfo(of: grant) { return claims }
        var claims: JSON.Object = ["sub": .string(grant.identity.subject)]
        for claim in grant.identity.claims(for: grant.scope, and: grant.requested.inUserinfo) {
            claims[claim.name] = claim.value
        }
        return claims
    }

    /// Returns the response as a JWT, if that was agreed and nothing went wrong (Core §5.3.2).
    private func sealed(_ answer: JSONResponse, for grant: Grant) -> JSONResponse {
        let encryption: SandboxClient.Encryption?
        switch grant.client.userinfo {
        case .json: return answer
        case .signed: encryption = nil
        case .encrypted(let clientEncryption): encryption = clientEncryption
        }
        guard answer.status == .ok, !answer.isPlain else { return answer }
        var draft = self.core.draft(answer.members, for: grant.client)
        if case .signedUserinfo(let change)? = grant.fault?.effect { change(&draft) }
        var sealed = answer
        guard let jwt = try? self.core.issue(draft, encryption: encryption) else { return .internalServerError }
        sealed.jwt = jwt
        return sealed
    }

    /// Reads the token from the header only: a token in a URL ends up in logs (RFC 9700 §4.3.2).
    private static func bearer(_ request: Request) -> String? {
        let parts = request.fields[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
