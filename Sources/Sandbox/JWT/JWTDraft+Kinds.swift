/// The three JWTs that the provider gives out.
import Base
import StrictJSON

extension JWTDraft {
    /// Core §2, with the optional claims that e-ID brokers send.
    static func idToken(
        _ grant: Grant, code: String?, accessToken: String, issuer: String, system: SandboxSystem, now: Timestamp
    ) -> Self {
        var claims = system.idToken(of: grant) ?? self.claims(of: grant)
        if let nonce = grant.nonce { claims["nonce"] = .string(nonce) }
        var draft = Self(claims, for: grant.client, issuer: issuer, now: now)
        draft.claims["at_hash"] = draft.hash(of: accessToken)
        draft.claims["c_hash"] = code.map(draft.hash)
        return draft
    }

    private static func claims(of grant: Grant) -> JSON.Object {
        var claims: JSON.Object = [
            "sub": .string(grant.identity.subject),
            "auth_time": .integer(grant.authenticatedAt.seconds),
            "acr": .string(grant.contextClass),
            "amr": ["sandbox"],
        ]
        let scope = grant.client.claimsInIDToken ? grant.scope : []
        for claim in grant.identity.claims(for: scope, and: grant.requested.inIDToken) {
            claims[claim.name] = claim.value
        }
        return claims
    }

    /// Core §5.3.2: the claims as they stand, and for whom they are.
    static func userinfo(_ claims: JSON.Object, for client: SandboxClient, issuer: String, now: Timestamp) -> Self {
        Self(claims, for: client, issuer: issuer, now: now)
    }

    /// JARM 2.1: the parameters as they stand. The issuer stands in the JWT, and therefore not beside it.
    static func response(_ answer: AuthorizationAnswer, issuer: String, now: Timestamp) -> Self {
        let members = JSON.Object(answer.parameters.map { ($0.name, .string($0.value)) })
        var draft = Self(members, for: answer.address.client, issuer: issuer, now: now)
        draft.claims["iat"] = nil
        return draft
    }
}
