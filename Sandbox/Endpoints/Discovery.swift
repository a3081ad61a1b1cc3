import JOSE
import StrictJSON

/// The provider's metadata (OpenID Connect Discovery §3, RFC 8414, RFC 9126 §5, RFC 8705 §5, JARM 4).
enum Discovery {
    /// Returns the metadata. `mutualTLS` is the origin at which clients present certificates: the issuer's own, or
    /// another one, which the aliases then name.
    static func document(of broker: any SimulatedBroker, at origin: String, mutualTLS: String?) -> JSON.Object {
        var document: JSON.Object = [
            "issuer": .string(broker.issuer(at: origin)),
            "authorization_endpoint": .string(ProviderRoute.authorize.url(origin)),
            "jwks_uri": .string(ProviderRoute.keys.url(origin)),
            "scopes_supported": ["openid", "profile", "email"],
            "response_types_supported": ["code"],
            "response_modes_supported": .array(ResponseMode.allCases.map { .string($0.rawValue) }),
            "grant_types_supported": [.string(GrantType.authorizationCode.rawValue)],
            "subject_types_supported": ["public"],
            "authorization_signing_alg_values_supported": self.algorithms,
            "id_token_signing_alg_values_supported": self.algorithms,
            "id_token_encryption_alg_values_supported": self.keyManagement,
            "id_token_encryption_enc_values_supported": self.encryptions,
            "userinfo_signing_alg_values_supported": .array((self.algorithms.array ?? []) + ["none"]),
            "userinfo_encryption_alg_values_supported": self.keyManagement,
            "userinfo_encryption_enc_values_supported": self.encryptions,
            "request_object_signing_alg_values_supported": self.algorithmsAndMACs,
            "token_endpoint_auth_methods_supported": .array(self.methods(mutualTLS != nil)),
            "token_endpoint_auth_signing_alg_values_supported": self.algorithmsAndMACs,
            "code_challenge_methods_supported": ["S256"],
            "claims_supported": [
                "sub", "name", "given_name", "family_name", "birthdate", "country", "email", "email_verified",
                "auth_time", "acr", "amr",
            ],
            "claims_parameter_supported": true,
            "prompt_values_supported": ["none", "login", "consent", "select_account"],
            "request_parameter_supported": true,
            "request_uri_parameter_supported": false,
            "authorization_response_iss_parameter_supported": true,
        ]
        for (name, value) in self.endpoints(origin) { document[name] = value }
        if let mutualTLS, mutualTLS != origin { document["mtls_endpoint_aliases"] = .object(self.endpoints(mutualTLS)) }
        broker.change(&document, at: origin)
        return document
    }

    /// Returns the endpoints that the client itself calls.
    private static func endpoints(_ origin: String) -> JSON.Object {
        [
            "token_endpoint": .string(ProviderRoute.token.url(origin)),
            "userinfo_endpoint": .string(ProviderRoute.userinfo.url(origin)),
            "pushed_authorization_request_endpoint": .string(ProviderRoute.pushedRequest.url(origin)),
        ]
    }

    private static func methods(_ hasMutualTLS: Bool) -> [JSON] {
        SandboxClient.Authentication.allCases.filter { hasMutualTLS || !$0.isMutualTLS }.map { .string($0.rawValue) }
    }

    private static let algorithms = JSON.array(SignatureAlgorithm.allCases.map { .string($0.rawValue) })
    private static let algorithmsAndMACs = JSON.array(
        (SignatureAlgorithm.allCases.map(\.rawValue) + MACAlgorithm.allCases.map(\.rawValue)).map(JSON.string))
    private static let keyManagement = JSON.array(
        KeyManagementAlgorithm.allCases.filter { $0 != .direct }.map { .string($0.rawValue) })
    private static let encryptions = JSON.array(ContentEncryption.allCases.map { .string($0.rawValue) })
}
