/// What the provider says about itself (OpenID Connect Discovery §3).
import JOSE

enum Discovery {
    static func document(issuer: String) -> JSON.Object {
        [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(Route.authorize.url(issuer)),
            "token_endpoint": .string(Route.token.url(issuer)),
            "userinfo_endpoint": .string(Route.userinfo.url(issuer)),
            "jwks_uri": .string(Route.keys.url(issuer)),
            "scopes_supported": ["openid", "profile", "email"],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "form_post"],
            "grant_types_supported": ["authorization_code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256"],
            "request_object_signing_alg_values_supported": self.algorithms,
            "token_endpoint_auth_methods_supported": .array(
                SandboxClient.Authentication.allCases.map { .string($0.rawValue) }),
            "token_endpoint_auth_signing_alg_values_supported": self.algorithms,
            "code_challenge_methods_supported": ["S256"],
            "claims_supported": [
                "sub", "name", "given_name", "family_name", "birthdate", "country", "email", "email_verified",
                "auth_time", "acr", "amr",
            ],
            "prompt_values_supported": ["none", "login", "consent", "select_account"],
            "request_parameter_supported": true,
            "request_uri_parameter_supported": false,
            "authorization_response_iss_parameter_supported": true,
        ]
    }

    private static let algorithms = JSON.array(SignatureAlgorithm.allCases.map { .string($0.rawValue) })
}
