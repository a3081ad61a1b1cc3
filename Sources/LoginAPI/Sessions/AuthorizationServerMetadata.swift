import StrictJSON

/// The metadata of this server as an authorization server (RFC 8414): where apps renew sessions, and where their APIs
/// find the keys of access tokens.
///
/// It has no `authorization_endpoint`: a session begins with a login, and there is no grant that a browser asks for
/// (§2).
struct AuthorizationServerMetadata: Sendable {
    /// The public URL.
    private let issuer: String

    /// Nil for a server without sessions.
    init?(_ services: PublicServices) {
        guard services.sessions != nil else { return nil }
        self.issuer = services.settings.publicURL
    }

    var json: JSON {
        [
            "issuer": .string(self.issuer),
            "token_endpoint": .string(self.issuer + PathPattern.token.path),
            "revocation_endpoint": .string(self.issuer + PathPattern.revocation.path),
            "jwks_uri": .string(self.issuer + PathPattern.accessKeys.path),
            "response_types_supported": [],
            "grant_types_supported": ["refresh_token"],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "dpop_signing_alg_values_supported": ["ES256"],
        ]
    }
}
