import Base
import StrictJSON

/// A grant says who logged in, for which client, and what its code is bound to.
struct Grant: Sendable {
    /// What a code is valid for (RFC 6749 §4.1.3, RFC 7636 §4.6).
    struct Binding: Sendable {
        let redirectURI: String
        let codeChallenge: String
        /// RFC 6749 §4.1.2 recommends ten minutes at most; brokers use much less.
        let ends: Timestamp
    }

    let client: SandboxClient
    /// Nil if the client gets the tokens without a code.
    let binding: Binding?
    let nonce: String?
    let scope: [String]
    let requested: RequestedClaims
    let idp: String?
    let contextClass: String
    let identity: SandboxIdentity
    let authenticatedAt: Timestamp
    let fault: SandboxFault?
    var isSpent = false
    /// The access token that was issued for the code. It is revoked when the code is used again.
    var accessToken: String?

    /// Whether the code may be used more than once.
    var isRepeatable: Bool {
        if case .repeatableCode? = self.fault?.effect { true } else { false }
    }
}

/// Grant types, by the names that every client uses for them.
enum GrantType: String, Sendable {
    case authorizationCode = "authorization_code"
    /// CIBA Core §10.1.
    case ciba = "urn:openid:params:grant-type:ciba"
}

/// What a token request returns.
struct RedeemedGrant: Sendable {
    let grant: Grant
    /// Nil if there was none.
    var code: String? = nil
    /// The access token's lifetime in seconds, as this broker writes it.
    var expiresIn: JSON = 300
}

/// What an access token gives access to.
struct Access: Sendable {
    /// The code, or the id of the order.
    let code: String
    let grant: Grant
}

extension Grant {
    /// Signicat uses fifteen seconds, others ten minutes.
    static let codeLifetime = Duration.seconds(60)
    /// How long ago a user with a session logged in.
    static let sessionAge = Duration.seconds(3600)

    init(
        _ authRequest: SandboxAuthorizationRequest, identity: SandboxIdentity, fault: SandboxFault?,
        authenticatedAt: Timestamp,
        at now: Timestamp
    ) {
        self.init(
            client: authRequest.client,
            binding: Binding(
                redirectURI: authRequest.address.redirectURI, codeChallenge: authRequest.codeChallenge,
                ends: now + Self.codeLifetime),
            nonce: authRequest.nonce, scope: authRequest.scope, requested: authRequest.requested, idp: authRequest.idp,
            contextClass: authRequest.contextClass,
            identity: identity, authenticatedAt: authenticatedAt, fault: fault)
    }

    /// What every provider says about the user in an ID token.
    var claims: JSON.Object {
        var claims: JSON.Object = [
            "sub": .string(self.identity.subject),
            "auth_time": .integer(self.authenticatedAt.seconds),
            "acr": .string(self.contextClass),
            "amr": ["sandbox"],
        ]
        let scope = self.client.claimsInIDToken ? self.scope : []
        for claim in self.identity.claims(for: scope, and: self.requested.inIDToken) {
            claims[claim.name] = claim.value
        }
        return claims
    }
}
