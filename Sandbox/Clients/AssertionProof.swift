import Base
import JOSE
import StrictJSON

/// `private_key_jwt` and `client_secret_jwt`: a JWT that the client issues about itself (RFC 7523 §3, Core §9).
struct AssertionProof: Sendable {
    /// We have to remember an assertion for as long as it is valid, so this is the maximum.
    private static let longestLife = Duration.seconds(600)
    /// Clocks differ a little, so `nbf` and `iat` may be this far in the future.
    private static let leeway = Duration.seconds(30)
    private static let algorithms = Set(SignatureAlgorithm.allCases)

    let core: ProviderCore
    /// The path of the endpoint.
    let endpoint: String

    func client(_ token: String) throws(OAuthRefusal) -> SandboxClient {
        guard let jws = try? CompactJWS(parsing: token) else { throw Self.refused("it is malformed") }
        // The claims are read before verification, only to find the client whose keys verify it.
        guard let client = Self.claimedClient(token).flatMap(self.core.client) else {
            throw Self.refused("iss is not a known client")
        }
        let claims = try Self.claims(jws, client)
        if let problem = self.problem(claims, client) { throw Self.refused(problem) }
        try self.spend(claims["jti"]?.string ?? "", of: client)
        return client
    }

    /// Only the registered credential can verify it: a secret is no key, and a key is no secret.
    private static func claims(_ jws: CompactJWS, _ client: SandboxClient) throws(OAuthRefusal) -> JSON.Object {
        let claims: JSON.Object?
        switch (client.authentication, client.keys, client.secret) {
        case (.privateKeyJWT, let keys?, _):
            claims = (try? jws.verified(with: keys, allowing: self.algorithms))?.claims()
        case (.clientSecretJWT, _, let secret?):
            claims = (try? jws.verified(with: secret, allowing: Set(MACAlgorithm.allCases)))?.claims()
        default: throw self.refused("iss is a client that registered \(client.authentication.rawValue)")
        }
        guard let claims else { throw self.refused("the signature is wrong") }
        return claims
    }

    private static func claimedClient(_ token: String) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]) else { return nil }
        return (try? JSON(parsing: bytes))?["iss"]?.string
    }

    private func problem(_ claims: JSON.Object, _ client: SandboxClient) -> String? {
        let now = self.core.now()
        let issuer = self.core.issuer
        guard claims["iss"]?.string == client.clientID else { return "iss is not the client" }
        guard claims["sub"]?.string == client.clientID else { return "sub is not the client" }
        // RFC 9126 §2: at that endpoint, any of the three is valid.
        let origin = self.core.origin
        let audiences = [issuer, ProviderRoute.token.url(origin), origin + self.endpoint]
        guard Audience.names(claims["aud"], one: audiences) else {
            return "aud is neither the issuer nor the endpoint"
        }
        guard let expiry = claims["exp"]?.integer.map(Timestamp.init(seconds:)), now < expiry else {
            return "exp is in the past"
        }
        guard expiry <= now + Self.longestLife else { return "exp is too far in the future" }
        for name in ["nbf", "iat"] {
            guard let claim = claims[name] else { continue }
            guard let time = claim.integer.map(Timestamp.init(seconds:)), time <= now + Self.leeway else {
                return "\(name) is in the future"
            }
        }
        guard let jti = claims["jti"]?.string, !jti.isEmpty, jti.utf8.count <= 256 else { return "jti is missing" }
        return nil
    }

    private func spend(_ jti: String, of client: SandboxClient) throws(OAuthRefusal) {
        let now = self.core.now()
        let isNew = self.core.memory.withLock { $0.assertions.insert((), for: client.clientID + "\n" + jti, at: now) }
        guard isNew else { throw Self.refused("jti was used before") }
    }

    private static func refused(_ problem: String) -> OAuthRefusal {
        .init(.invalidClient, "client_assertion: \(problem)")
    }
}

/// The `aud` of a JWT: one name or a list (RFC 7519 §4.1.3).
enum Audience {
    /// Returns whether it names one of `us`.
    static func names(_ claim: JSON?, one us: [String]) -> Bool {
        switch claim {
        case .string(let name)?: us.contains(name)
        case .array(let names)?: names.contains { $0.string.map(us.contains) ?? false }
        case .null?, .bool?, .integer?, .number?, .decimal?, .object?, nil: false
        }
    }
}
