import HTTPWire
import Sessions

/// Verifies what a request about a session sends: a DPoP proof (RFC 9449 §4.3), and an access token with a proof for it
/// (§7.1).
struct SessionAccess: Sendable {
    let sessions: SessionFlow
    let limits: RequestLimits
    /// Without a final slash. A proof names URLs that begin with it, whatever proxies make of `Host`.
    let publicURL: String

    /// Nil for a server without sessions.
    init?(_ services: PublicServices) {
        guard let sessions = services.sessions else { return nil }
        self.sessions = sessions
        self.limits = services.limits
        self.publicURL = services.settings.publicURL
    }

    /// Counts the request for its address first: to verify a signature costs us more than to send it.
    func proof(of context: RequestContext) throws(Problem) -> DPoPProof {
        try self.limits.takeProof(from: context.client, at: context.loop.elapsed)
        do throws(DPoPError) {
            return try self.verify(context.request)
        } catch {
            throw Problem(proof: error)
        }
    }

    func verify(_ request: Request) throws(DPoPError) -> DPoPProof {
        try self.sessions.verifyProof(
            request.fields.all(.dpop), method: request.method.rawValue, url: self.url(of: request))
    }

    /// Returns the claims of the access token, which must belong to the key of the proof (RFC 9449 §7.1).
    func claims(of context: RequestContext) throws(Problem) -> (AccessTokenClaims, DPoPProof) {
        let request = context.request
        guard let token = DPoPToken(request) else { throw Problem(.accessTokenInvalid) }
        try self.limits.takeProof(from: context.client, at: context.loop.elapsed)
        let (proof, claims): (DPoPProof, AccessTokenClaims?)
        do throws(DPoPError) {
            (proof, claims) = try self.sessions.verifyProof(
                request.fields.all(.dpop), method: request.method.rawValue, url: self.url(of: request),
                accessToken: token.text)
        } catch {
            throw Problem(proof: error)
        }
        guard let claims else { throw Problem(.accessTokenInvalid) }
        try self.limits.take(claims.sessionID, at: context.loop.elapsed)
        return (claims, proof)
    }

    private func url(of request: Request) -> String { self.publicURL + request.target.path }
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
