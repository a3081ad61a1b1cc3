import Base
import JOSE
import StrictJSON

/// The `request` parameter: a signed request object (RFC 9101), by value or pushed.
enum RequestObject {
    /// RFC 9101 §10.8, and the `JWT` of earlier implementations.
    private static let types: Set<String> = ["oauth-authz-req+jwt", "jwt"]
    /// Claims about the object itself, which are not parameters.
    private static let envelope: Set<String> = ["iss", "aud", "exp", "nbf", "iat", "jti"]

    /// Returns the parameters in it. Those outside do not count (RFC 9101 §6.3).
    static func parameters(
        in token: String, from client: SandboxClient, issuer: String, at now: Timestamp
    ) throws(OAuthRefusal) -> Parameters {
        let claims = try self.verified(token, client)
        if let problem = self.problem(claims, client, issuer, now) { throw self.refused(problem) }
        return Parameters(claims.compactMap(self.parameter))
    }

    private static func verified(
        _ token: String, _ client: SandboxClient
    ) throws(OAuthRefusal) -> JSON.Object {
        let jws: CompactJWS
        do throws(JWSError) { jws = try CompactJWS(parsing: token) } catch {
            throw self.refused("the signature: \(error.rawValue)")
        }
        let claims: JSON.Object?
        do throws(SignatureError) { claims = try self.claims(jws, client) } catch {
            throw self.refused("the signature: \(error.rawValue)")
        }
        guard let claims else { throw self.refused("the claims are not a JSON object") }
        if let type = jws.header.type?.lowercased(), !self.types.contains(type) {
            throw self.refused("typ is not oauth-authz-req+jwt")
        }
        return claims
    }

    /// Verifies with the client's keys, or with the unencoded bytes of its secret (Core §10.1).
    private static func claims(_ jws: CompactJWS, _ client: SandboxClient) throws(SignatureError) -> JSON.Object? {
        if MACAlgorithm(rawValue: jws.header.algorithm) != nil, let secret = client.secret {
            return try jws.verified(with: secret, allowing: Set(MACAlgorithm.allCases)).claims()
        }
        return try jws.verified(with: client.keys ?? JWKSet([]), allowing: Set(SignatureAlgorithm.allCases)).claims()
    }

    private static func problem(
        _ claims: JSON.Object, _ client: SandboxClient, _ issuer: String, _ now: Timestamp
    ) -> String? {
        guard claims["iss"]?.string == client.clientID else { return "iss is not the client" }
        guard Audience.names(claims["aud"], one: [issuer]) else { return "aud is not this provider" }
        guard claims["client_id"]?.string == client.clientID else { return "client_id is not the client" }
        guard let expiry = claims["exp"]?.integer, now < Timestamp(seconds: expiry) else { return "exp is in the past" }
        if let start = claims["nbf"], start.integer.map({ Timestamp(seconds: $0) <= now }) != true {
            return "nbf is in the future"
        }
        // RFC 9101 §4: the object contains no other object. §10.8: with this `sub` it could pass as an assertion.
        guard claims["request"] == nil, claims["request_uri"] == nil else { return "it contains another request" }
        return claims["sub"]?.string == client.clientID ? "sub is the client" : nil
    }

    /// RFC 9101 §4: strings and numbers are used as they are, other values as their JSON.
    private static func parameter(_ claim: JSON.Object.Member) -> Parameter? {
        guard !self.envelope.contains(claim.name) else { return nil }
        switch claim.value {
        case .null: return nil
        case .string(let text): return Parameter(claim.name, text)
        case .bool, .integer, .number, .decimal, .array, .object:
            return Parameter(claim.name, String(decoding: claim.value.encoded(), as: UTF8.self))
        }
    }

    private static func refused(_ description: String) -> OAuthRefusal {
        .init(.invalidRequestObject, "The request object is refused: \(description).")
    }
}
