/// The authorization request as a signed object, by value (RFC 9101).
import JOSE

extension AuthorizationRequest {
    private static let lifetime = 300

    func requestObject(for issuer: String, signer: JWTSigner, now: Timestamp) throws(Failure) -> String {
        do {
            // RFC 9101 §10.8: the type keeps it from being taken for another kind of JWT.
            return try signer.sign(self.claims(for: issuer, now: now), type: "oauth-authz-req+jwt")
        } catch {
            throw .signing
        }
    }

    /// Without `sub`: with it the object could be replayed as a client assertion (RFC 9101 §10.8).
    private func claims(for issuer: String, now: Timestamp) -> JSON.Object {
        var claims: JSON.Object = [
            "iss": .string(self.client.clientID), "aud": .string(issuer), "iat": .integer(now.seconds),
            "nbf": .integer(now.seconds), "exp": .integer(now.seconds + Self.lifetime),
            "jti": .string(Base64URL.encode(RandomBytes.make(16))),
        ]
        for (name, value) in self.parameters { claims[name] = .string(value) }
        // RFC 9101 §4: what is a number is a JSON number.
        if let maxAge = self.maxAge { claims["max_age"] = .integer(maxAge) }
        return claims
    }
}
