// The authorization request as a signed object, by value (RFC 9101).

import Base
import StrictJSON

extension AuthorizationRequest {
    private static let lifetime = 300

    /// Returns the object as bytes, because the URL takes it in that form.
    func requestObject(_ scope: String, for issuer: String, now: Timestamp) throws(AuthorizationRequestError) -> [UInt8]
    {
        guard let signer = self.client.requestObject else { throw .signing }
        do {
            let claims = self.claims(scope, for: issuer, now: now)
            return try signer.sign(payload: claims, type: self.client.requestObjectType)
        } catch {
            throw .signing
        }
    }

    /// Omits `sub`: with it the object could be replayed as a client assertion (RFC 9101 §10.8).
    private func claims(_ scope: String, for issuer: String, now: Timestamp) -> [UInt8] {
        var claims = JSONObjectWriter()
        claims.add("iss", self.client.clientID)
        claims.add("aud", issuer)
        claims.add("iat", now.seconds)
        claims.add("nbf", now.seconds)
        claims.add("exp", now.seconds + Self.lifetime)
        claims.add("jti", Base64URL.encode(RandomBytes.make(16)))
        // Local copies, because the closure would copy the whole request for them.
        let (maxAge, wantedClaims) = (self.maxAge, self.requestedClaims)
        self.visitAll(scope) { name, value in
            switch (name, maxAge, wantedClaims) {
            // RFC 9101 §4 wants numbers as JSON numbers, and Core 6.1 wants objects as JSON objects.
            case ("max_age", let maxAge?, _): claims.add(named: name, .integer(maxAge))
            case ("claims", _, let requestedClaims?): claims.add(named: name, .object(requestedClaims))
            case (_, _, _): claims.add(named: name, .string(value))
            }
        }
        return claims.finish()
    }
}
