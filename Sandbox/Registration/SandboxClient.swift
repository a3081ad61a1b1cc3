import Base
import JOSE

/// A relying party as the sandbox knows it: the contents of a broker's registration form.
package struct SandboxClient: Sendable {
    /// How the client authenticates at the token and pushed authorization request endpoints (Core §9, RFC 8705 §2). No
    /// other method is accepted from it.
    package enum Authentication: String, CaseIterable, Sendable {
        case secretBasic = "client_secret_basic"
        case secretPost = "client_secret_post"
        case clientSecretJWT = "client_secret_jwt"
        case privateKeyJWT = "private_key_jwt"
        case tlsClientAuth = "tls_client_auth"
        case selfSignedTLSClientAuth = "self_signed_tls_client_auth"

        var isMutualTLS: Bool { self == .tlsClientAuth || self == .selfSignedTLSClientAuth }
    }

    /// How a JWT is encrypted for it (Registration §2, `id_token_encrypted_response_alg` and `_enc`).
    package struct Encryption: Sendable {
        let key: JWK
        let algorithm: KeyManagementAlgorithm
        let encryption: ContentEncryption

        package init(key: JWK, algorithm: KeyManagementAlgorithm, encryption: ContentEncryption) {
            self.key = key
            self.algorithm = algorithm
            self.encryption = encryption
        }

        var encrypter: Encrypter { Encrypter(to: self.key, self.algorithm, self.encryption) }
    }

    /// What it gets from the userinfo endpoint (Core §5.3.2).
    package enum Userinfo: Sendable {
        case json
        case signed
        /// Signed, and then encrypted.
        case encrypted(Encryption)
    }

    package let clientID: String
    /// What users see.
    package let name: String
    package let secret: Secret?
    /// The public keys that verify its assertions and request objects.
    package let keys: JWKSet?
    package let redirectURIs: [String]
    package let authentication: Authentication
    /// The algorithm of ID tokens, and of everything else that is signed for it.
    package let idTokenAlgorithm: SignatureAlgorithm
    /// RFC 9101 §10.5: plain requests are refused.
    package let requiresRequestObject: Bool
    /// RFC 9126 §6: requests that were not pushed are refused.
    package let requiresPushedRequest: Bool
    package let idTokenEncryption: Encryption?
    package let userinfo: Userinfo
    /// Puts the claims of the requested scopes into the ID token too, as e-ID brokers do.
    package let claimsInIDToken: Bool
    /// Origins (or `scheme:`) where the redirect URI may send the browser on to. Chromium applies `form-action` to the
    /// whole chain of redirects, so the page must name them all.
    package let onwardOrigins: [String]
    /// Whether launch links come with a `pollUrl`.
    package let hasPollURL: Bool
    /// Idura's documentation spells it in two ways.
    package let headlessGrantType: String
    /// In DER: what it presents with a method of mutual TLS, whoever signed it.
    package let certificate: [UInt8]?

    package init(
        clientID: String, name: String? = nil, secret: Secret? = nil, keys: JWKSet? = nil, redirectURIs: [String],
        authentication: Authentication, idTokenAlgorithm: SignatureAlgorithm = .rs256,
        requiresRequestObject: Bool = false, requiresPushedRequest: Bool = false, idTokenEncryption: Encryption? = nil,
        userinfo: Userinfo = .json, claimsInIDToken: Bool = true, onwardOrigins: [String] = [],
        certificate: [UInt8]? = nil, hasPollURL: Bool = true,
        headlessGrantType: String = "urn:grn:params:grant-type:headless"
    ) {
        self.clientID = clientID
        self.name = name ?? clientID
        self.secret = secret
        self.keys = keys
        self.redirectURIs = redirectURIs
        self.authentication = authentication
        self.idTokenAlgorithm = idTokenAlgorithm
        self.requiresRequestObject = requiresRequestObject
        self.requiresPushedRequest = requiresPushedRequest
        self.idTokenEncryption = idTokenEncryption
        self.userinfo = userinfo
        self.claimsInIDToken = claimsInIDToken
        self.onwardOrigins = onwardOrigins
        self.certificate = certificate
        self.hasPollURL = hasPollURL
        self.headlessGrantType = headlessGrantType
    }
}

extension SandboxClient {
    /// What is wrong with this registration; nil if nothing is.
    var problem: String? {
        guard !self.clientID.isEmpty else { return "the client id is empty" }
        guard !self.redirectURIs.isEmpty else { return "no redirect URI" }
        for uri in self.redirectURIs where !Self.isRedirectURI(uri) {
            return "not a redirect URI: \(uri)"
        }
        let method = self.authentication.rawValue
        switch self.authentication {
        case .secretBasic, .secretPost, .clientSecretJWT:
            guard self.secret != nil else { return "\(method) needs a secret" }
        case .privateKeyJWT:
            guard self.keys != nil else { return "\(method) needs keys" }
        case .tlsClientAuth, .selfSignedTLSClientAuth:
            guard self.certificate != nil else { return "\(method) needs a certificate" }
        }
        guard self.requiresRequestObject, self.keys == nil, self.secret == nil else { return nil }
        return "request objects need keys or a secret"
    }

    /// Returns whether it is a web link, or one with an app's own scheme, which has a dot (RFC 8252 §7.1).
    private static func isRedirectURI(_ uri: String) -> Bool {
        let scheme = uri.prefix { $0 != ":" }
        return !uri.contains("#") && (Origin.source(of: uri) != nil || (scheme.contains(".") && !scheme.contains("/")))
    }
}
