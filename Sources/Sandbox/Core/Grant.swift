/// Who logged in, for whom, and what the code is bound to that stands for it.
import Base
import StrictJSON

struct Grant: Sendable {
    /// What a code is good for (RFC 6749 §4.1.3, RFC 7636 §4.6).
    struct Binding: Sendable {
        let redirectURI: String
        let codeChallenge: String
        /// RFC 6749 §4.1.2 recommends ten minutes at most; brokers give much less.
        let ends: Timestamp
    }

    let client: SandboxClient
    /// Nil where the client asks for the tokens itself, by no code.
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
    /// The access token that the code brought, taken back when the code comes again.
    var accessToken: String?

    /// Whether the code may be used more than once.
    var isRepeatable: Bool {
        if case .repeatableCode? = self.fault?.effect { true } else { false }
    }
}

/// Grants by the names that every client uses for them.
enum GrantType: String, Sendable {
    case authorizationCode = "authorization_code"
    /// CIBA Core §10.1.
    case ciba = "urn:openid:params:grant-type:ciba"
}

/// What a token request was worth.
struct Redeemed: Sendable {
    let grant: Grant
    /// Nil where there was none.
    var code: String? = nil
    /// Seconds for which the access token is good, as this broker writes them.
    var expiresIn: JSON = 300
}

/// What one access token opens.
struct Access: Sendable {
    /// Or the name of the order.
    let code: String
    let grant: Grant
}

extension Grant {
    /// Signicat gives fifteen seconds, others ten minutes.
    static let codeLifetime = Duration.seconds(60)
    /// How long ago somebody logged in who is logged in already.
    static let sessionAge = Duration.seconds(3600)

    init(
        _ ask: AuthorizationAsk, identity: SandboxIdentity, fault: SandboxFault?, authenticatedAt: Timestamp,
        at now: Timestamp
    ) {
        self.init(
            client: ask.client,
            binding: Binding(
                redirectURI: ask.address.redirectURI, codeChallenge: ask.codeChallenge, ends: now + Self.codeLifetime),
            nonce: ask.nonce, scope: ask.scope, requested: ask.requested, idp: ask.idp, contextClass: ask.contextClass,
            identity: identity, authenticatedAt: authenticatedAt, fault: fault)
    }

    /// What every provider says of the person in an ID token.
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
