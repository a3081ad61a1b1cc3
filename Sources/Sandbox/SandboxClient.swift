/// A relying party as the sandbox knows it: what a broker's registration form would ask.
import JOSE

package struct SandboxClient: Sendable {
    /// How it proves itself at the token endpoint (Core §9). No other method is accepted from it.
    package enum Authentication: String, CaseIterable, Sendable {
        case secretBasic = "client_secret_basic"
        case secretPost = "client_secret_post"
        case privateKeyJWT = "private_key_jwt"
    }

    package let clientID: String
    package let secret: Secret?
    /// The public keys that check its assertions and request objects.
    package let keys: JWKSet?
    package let redirectURIs: [String]
    package let authentication: Authentication
    package let idTokenAlgorithm: SignatureAlgorithm
    /// RFC 9101 §10.5: plain requests are refused.
    package let requiresRequestObject: Bool
    /// Puts what the scopes ask for into the ID token too, as e-ID brokers do.
    package let claimsInIDToken: Bool
    /// Origins (or `scheme:`) where the redirect URI may send the browser on to. Chromium applies `form-action` to the
    /// whole chain of redirects, so the page has to name them all.
    package let onwardOrigins: [String]

    package init(
        clientID: String, secret: Secret? = nil, keys: JWKSet? = nil, redirectURIs: [String],
        authentication: Authentication, idTokenAlgorithm: SignatureAlgorithm = .rs256,
        requiresRequestObject: Bool = false, claimsInIDToken: Bool = true, onwardOrigins: [String] = []
    ) {
        self.clientID = clientID
        self.secret = secret
        self.keys = keys
        self.redirectURIs = redirectURIs
        self.authentication = authentication
        self.idTokenAlgorithm = idTokenAlgorithm
        self.requiresRequestObject = requiresRequestObject
        self.claimsInIDToken = claimsInIDToken
        self.onwardOrigins = onwardOrigins
    }

    /// What is wrong with this registration, or nil.
    var problem: String? {
        guard !self.clientID.isEmpty else { return "the client id is empty" }
        guard !self.redirectURIs.isEmpty else { return "no redirect URI" }
        for uri in self.redirectURIs where Origin.source(of: uri) == nil || uri.contains("#") {
            return "not a redirect URI: \(uri)"
        }
        switch self.authentication {
        case .secretBasic, .secretPost:
            guard self.secret != nil else { return "\(self.authentication.rawValue) needs a secret" }
        case .privateKeyJWT:
            guard self.keys != nil else { return "private_key_jwt needs keys" }
        }
        return self.requiresRequestObject && self.keys == nil ? "request objects need keys" : nil
    }
}
