/// What one authorization code stands for: who logged in, and what the code is bound to.
import JOSE

struct Grant: Sendable {
    let client: SandboxClient
    let redirectURI: String
    let codeChallenge: String
    let nonce: String?
    let scope: [String]
    let requested: RequestedClaims
    let idp: String?
    let contextClass: String
    let identity: SandboxIdentity
    let authenticatedAt: Timestamp
    let fault: SandboxFault?
    /// RFC 6749 §4.1.2 recommends ten minutes at most; brokers give much less.
    let codeEnds: Timestamp
    var isSpent = false
    /// The access token that the code brought, taken back when the code comes again.
    var accessToken: String?
}

/// What one access token opens.
struct Access: Sendable {
    let code: String
    let grant: Grant
}

extension Grant {
    /// Signicat gives fifteen seconds, others ten minutes.
    static let codeLifetime = Duration.seconds(60)

    init(_ ask: AuthorizationAsk, identity: SandboxIdentity, fault: SandboxFault?, at now: Timestamp) {
        self.client = ask.client
        self.redirectURI = ask.address.redirectURI
        self.codeChallenge = ask.codeChallenge
        self.nonce = ask.nonce
        self.scope = ask.scope
        self.requested = ask.requested
        self.idp = ask.idp
        self.contextClass = ask.contextClass
        self.identity = identity
        self.authenticatedAt = now
        self.fault = fault
        self.codeEnds = now + Self.codeLifetime
    }
}
