/// The authorization request as a signed object, by value (RFC 9101).
import JOSE

extension AuthorizationRequest {
    private static let lifetime = 300

    func requestObject(for issuer: String, now: Timestamp) throws(Failure) -> String {
        guard let signer = self.client.requestObject else { throw .signing }
        do {
            return try signer.sign(self.claims(for: issuer, now: now), type: self.client.requestObjectType)
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
        // RFC 9101 §4: what is a number is a JSON number, and Core 6.1: what is an object is one.
        if let maxAge = self.maxAge { claims["max_age"] = .integer(maxAge) }
        if let wanted = self.wantedClaims { claims["claims"] = .object(wanted) }
        return claims
    }
}
