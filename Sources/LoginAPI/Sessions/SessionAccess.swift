import HTTPWire
import Sessions

/// Verifies what a request about a session sends: a DPoP proof (RFC 9449 §4.3), and an access token with a proof for it
/// (§7.1).
struct SessionAccess: Sendable {
    let sessions: SessionFlow
    let limits: RequestLimits
    /// Without a final slash. A proof names URLs that begin with it, whatever proxies make of `Host`.
    private let publicURL: String

    /// Nil for a server without sessions.
    init?(_ services: PublicServices) {
        guard let sessions = services.sessions else { return nil }
        self.sessions = sessions
        self.limits = services.limits
        self.publicURL = services.settings.publicURL
    }

    /// Returns the proof of a request whose session nobody knows yet.
    func proof<Refusal: SessionRefusal>(of context: RequestContext, as _: Refusal.Type) throws(Refusal) -> DPoPProof {
        try self.verified(context, as: Refusal.self) { request, url throws(DPoPError) in
            try self.sessions.verifyProof(request.fields.all(.dpop), method: request.method.rawValue, url: url)
        }
    }

    /// Returns the proof of a request for the session of this app and the proof's key, and counts it for that session:
    /// only the key's holder can make such a proof.
    func proof<Refusal: SessionRefusal>(
        of context: RequestContext, app: String, as _: Refusal.Type
    ) throws(Refusal) -> DPoPProof {
        let proof = try self.proof(of: context, as: Refusal.self)
        try self.count(context, for: SessionID(app: app, thumbprint: proof.thumbprint), as: Refusal.self)
        return proof
    }

    /// Returns the claims of the access token, which must belong to the key of the proof (RFC 9449 §7.1).
    func claims(of context: RequestContext) throws(Problem) -> (AccessTokenClaims, DPoPProof) {
        guard let token = DPoPToken(context.request) else { throw Problem(.accessTokenInvalid) }
        let (proof, claims) = try self.verified(context, as: Problem.self) { request, url throws(DPoPError) in
            try self.sessions.verifyProof(
                request.fields.all(.dpop), method: request.method.rawValue, url: url, accessToken: token.text)
        }
        guard let claims else { throw Problem(.accessTokenInvalid) }
        try self.count(context, for: claims.sessionID, as: Problem.self)
        return (claims, proof)
    }

    /// Counts a request that a stranger can make.
    func count<Refusal: SessionRefusal>(_ context: RequestContext, as _: Refusal.Type) throws(Refusal) {
        do throws(Problem) {
            try self.limits.takeProof(from: context.client, at: context.loop.elapsed)
        } catch {
            throw Refusal(limit: error)
        }
    }

    /// Counts a request that only the holder of the session's key can make.
    private func count<Refusal: SessionRefusal>(
        _ context: RequestContext, for session: SessionID, as _: Refusal.Type
    ) throws(Refusal) {
        do throws(Problem) {
            try self.limits.take(session, at: context.loop.elapsed)
        } catch {
            throw Refusal(limit: error)
        }
    }

    /// The one order for every request with a proof. It counts the request for its address first: to verify a signature
    /// costs us more than to send it. `verify` gets the URL that the proof must name.
    private func verified<Value, Refusal: SessionRefusal>(
        _ context: RequestContext, as _: Refusal.Type, _ verify: (Request, String) throws(DPoPError) -> Value
    ) throws(Refusal) -> Value {
        try self.count(context, as: Refusal.self)
        do throws(DPoPError) {
            return try verify(context.request, self.publicURL + context.request.target.path)
        } catch {
            throw Refusal(proof: error)
        }
    }
}

/// One of the two vocabularies in which a request about a session is refused: that of problems, and that of OAuth.
protocol SessionRefusal: Error {
    /// The caller used up the limit that the problem names.
    init(limit problem: Problem)
    init(proof error: DPoPError)
    init(session error: SessionError)
}

/// The content of a request's `Authorization: DPoP …` (RFC 9449 §7.1).
private struct DPoPToken {
    let text: String

    /// Returns nil for no field, several, and another scheme.
    init?(_ request: Request) {
        guard let value = request.fields.only(.authorization) else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "dpop" else { return nil }
        self.text = String(parts[1])
    }
}
