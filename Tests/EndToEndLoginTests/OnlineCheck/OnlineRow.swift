import StrictJSON
import Testing

/// A configuration, a discovery document, and the finding about the two together.
struct OnlineRow: Sendable, CustomTestStringConvertible {
    let settings: String
    /// More settings of the provider.
    let provider: String
    let line: String
    let change: @Sendable (inout JSON.Object) -> Void

    init(
        _ settings: String, provider: String = "", _ line: String,
        _ change: @escaping @Sendable (inout JSON.Object) -> Void = { _ in }
    ) {
        self.settings = settings
        self.provider = provider
        self.line = line
        self.change = change
    }

    var testDescription: String { self.line }

    private static let secret = "client_secret: a secret of more than thirty-two bytes"
    private static let jwt = "client_authentication: private_key_jwt"

    private static func with(_ member: String, _ value: JSON?) -> @Sendable (inout JSON.Object) -> Void {
        { $0[member] = value }
    }

    /// OpenID Connect Discovery 1.0 §3; RFC 8414 §2; RFC 9126 §5; RFC 9101 §10.5; JARM §4; RFC 9207 §3.
    static let features: [OnlineRow] = [
        OnlineRow(secret, "ok: main: client_authentication: the broker supports client_secret_basic"),
        OnlineRow(
            "\(secret), client_authentication: client_secret_post",
            "error: main: client_authentication: client_secret_post is not in token_endpoint_auth_methods_supported, which has private_key_jwt",
            with("token_endpoint_auth_methods_supported", ["private_key_jwt"])),
        OnlineRow(
            secret, "ok: main: client_authentication: every provider supports client_secret_basic",
            with("token_endpoint_auth_methods_supported", nil)),
        OnlineRow(
            jwt,
            "warning: main: client_authentication: discovery has no token_endpoint_auth_methods_supported: ask the broker about private_key_jwt",
            with("token_endpoint_auth_methods_supported", nil)),
        OnlineRow(jwt, "ok: main: signing_algorithm: the broker supports ES256"),
        OnlineRow(
            jwt,
            "error: main: signing_algorithm: ES256 is not in token_endpoint_auth_signing_alg_values_supported, which has RS256",
            with("token_endpoint_auth_signing_alg_values_supported", ["RS256"])),
        OnlineRow(secret, "ok: main: request_style: the broker accepts plain"),
        OnlineRow(
            "\(secret), request_style: par",
            "error: main: request_style: the broker has no pushed_authorization_request_endpoint: use plain or jar",
            with("pushed_authorization_request_endpoint", nil)),
        OnlineRow("\(secret), request_style: par", "ok: main: request_style: the broker accepts par") {
            $0["pushed_authorization_request_endpoint"] = $0["token_endpoint"]
        },
        OnlineRow(
            secret, "error: main: request_style: the broker accepts only pushed requests: use par or par+jar",
            with("require_pushed_authorization_requests", true)),
        OnlineRow(
            secret, "error: main: request_style: the broker accepts only signed requests: use jar or par+jar",
            with("require_signed_request_object", true)),
        OnlineRow(
            "\(secret), request_style: jar",
            "error: main: request_object_algorithm: ES256 is not in request_object_signing_alg_values_supported, which has PS256",
            with("request_object_signing_alg_values_supported", ["PS256"])),
        OnlineRow(secret, "ok: main: S256: the broker supports it"),
        OnlineRow(
            secret,
            "warning: main: S256: discovery has no code_challenge_methods_supported: ask the broker whether it checks PKCE",
            with("code_challenge_methods_supported", nil)),
        OnlineRow(secret, "ok: main: response_mode: the broker supports query"),
        OnlineRow(
            secret, "ok: main: response_mode: every provider supports query", with("response_modes_supported", nil)),
        OnlineRow(
            "\(secret), response_mode: form_post",
            "error: main: response_mode: form_post is not in response_modes_supported, which has query, fragment",
            with("response_modes_supported", ["query", "fragment"])),
        OnlineRow(
            "\(secret), response_mode: query.jwt, id_token_algorithms: [ES256]",
            "error: main: id_token_algorithms: ES256 is not in authorization_signing_alg_values_supported, which has RS256",
            with("authorization_signing_alg_values_supported", ["RS256"])),
        OnlineRow(secret, "ok: main: id_token_algorithms: the broker supports RS256, ES256") {
            $0["id_token_signing_alg_values_supported"] = ["RS256", "ES256", "none"]
        },
        OnlineRow(
            "\(secret), id_token_algorithms: [EdDSA]",
            "error: main: id_token_algorithms: EdDSA is not in id_token_signing_alg_values_supported, which has RS256, ES256",
            with("id_token_signing_alg_values_supported", ["RS256", "ES256"])),
        OnlineRow(
            "\(secret), id_token_encrypted: true",
            "error: main: id_token_encrypted: RSA-OAEP, RSA-OAEP-256 is not in id_token_encryption_alg_values_supported, which has ECDH-ES",
            with("id_token_encryption_alg_values_supported", ["ECDH-ES"])),
        OnlineRow(
            "\(secret), id_token_encrypted: true", "ok: main: id_token_encrypted: the broker supports RSA-OAEP-256",
            with("id_token_encryption_alg_values_supported", ["ECDH-ES", "RSA-OAEP-256"])),
        OnlineRow(
            "\(secret), userinfo_format: signed",
            "warning: main: userinfo_format: discovery has no userinfo_signing_alg_values_supported: ask the broker about RS256, PS256, ES256",
            with("userinfo_signing_alg_values_supported", nil)),
        OnlineRow(
            "\(secret), issuer_in_response: require",
            "warning: main: issuer_in_response: the broker does not promise iss: a response without it is refused; auto would accept it",
            with("authorization_response_iss_parameter_supported", nil)),
        OnlineRow(
            "\(secret), issuer_in_response: optional",
            "warning: main: issuer_in_response: the broker promises iss: a response without it is accepted; auto would refuse it",
            with("authorization_response_iss_parameter_supported", true)),
        // Core 2; Initiating User Registration 1.0 §4. The provider demands a fresh login.
        OnlineRow(secret, "ok: main: providers.demo.prompt: the broker can send auth_time"),
        OnlineRow(
            secret,
            "warning: main: providers.demo.prompt: auth_time is not in claims_supported, and an ID token without it is refused: have the broker send it, or leave out prompt and max_age",
            with("claims_supported", ["iss", "sub", "email"])),
        OnlineRow(
            secret,
            "error: main: providers.demo.prompt: login is not in prompt_values_supported, which has none, consent",
            with("prompt_values_supported", ["none", "consent"])),
    ]

    /// What a discovery document can contradict, besides what makes a request impossible (Discovery 1.0, 3).
    static let contradictions: [OnlineRow] = [
        OnlineRow(
            secret,
            "warning: main: userinfo_format: json may be wrong: userinfo_signing_alg_values_supported has RS256, ES256 and not none. If a login ends with userinfo_content_type, use signed",
            with("userinfo_signing_alg_values_supported", ["RS256", "ES256"])),
        OnlineRow(
            "\(secret), userinfo_format: signed",
            "warning: main: userinfo_format: discovery has no userinfo_endpoint, so the server asks for no userinfo",
            with("userinfo_endpoint", nil)),
        OnlineRow(
            "\(secret), request_style: jar",
            "error: main: request_style: request_parameter_supported is false: use plain or par",
            with("request_parameter_supported", false)),
        OnlineRow(
            secret, provider: ", scope: [openid, ssn]",
            "warning: main: providers.demo.scope: ssn is not in scopes_supported: ask the broker, or remove it"),
        OnlineRow(
            secret, provider: ", acr_values: [\"urn:gold\"]",
            "warning: main: providers.demo.acr_values: urn:gold is not in acr_values_supported, which has urn:silver",
            with("acr_values_supported", ["urn:silver"])),
        OnlineRow(
            secret, provider: ", claims: [shoe_size]",
            "warning: main: providers.demo.claims: shoe_size is not in claims_supported: ask the broker which scope or setting brings it"
        ),
        OnlineRow(
            secret, provider: ", national_id_claim: pid, national_id_type: no:fnr",
            "warning: main: providers.demo.national_id_claim: pid is not in claims_supported: ask the broker which scope or setting brings it"
        ),
        OnlineRow(
            secret, provider: ", claims_parameter: '{\"id_token\": {}}'",
            "warning: main: providers.demo.claims_parameter: claims_parameter_supported is not true, so the broker may ignore it: ask the broker",
            with("claims_parameter_supported", nil)),
        OnlineRow(
            secret,
            "warning: main: providers.demo.flow: browser needs the grant type authorization_code, which is not in grant_types_supported",
            with("grant_types_supported", ["implicit"])),
        OnlineRow(
            secret,
            "error: main: issuer: the document names \"https://login.microsoftonline.com/{tenantid}/v2.0\", which stands for every tenant: with it the users of any tenant could log in. Use the issuer of your own tenant, as in https://login.microsoftonline.com/TENANT-ID/v2.0",
            with("issuer", "https://login.microsoftonline.com/{tenantid}/v2.0")),
        OnlineRow(
            secret,
            "error: main: issuer: the document names \"https://sts.windows.net/{tenantid}/\", which stands for every tenant: with it the users of any tenant could log in. Use the issuer of your own tenant, as in https://login.microsoftonline.com/TENANT-ID/v2.0",
            with("issuer", "https://sts.windows.net/{tenantid}/")),
    ]

    /// Errors that make the whole document unusable.
    static let documents: [OnlineRow] = [
        OnlineRow(secret, "ok: main: discovery: the issuer is ISSUER, its endpoints are allowed"),
        OnlineRow(
            secret,
            "error: main: issuer: this is not the issuer that you configured: the document names \"ISSUER/\". If you did not expect that, stop and ask the broker; if it is the broker's own name, configure it byte for byte",
            { $0["issuer"] = $0["issuer"]?.string.map { .string("\($0)/") } }),
        OnlineRow(
            secret, "error: main: discovery: jwks_uri is missing: the broker must correct it", with("jwks_uri", nil)),
        OnlineRow(
            secret, "error: main: discovery: token_endpoint has the wrong type: the broker must correct it",
            with("token_endpoint", 1)),
        OnlineRow(
            secret, "error: main: hosts: token_endpoint is on api.example: add it to hosts, if it is the broker's",
            with("token_endpoint", "https://api.example/token")),
        OnlineRow(
            secret, "error: main: hosts: jwks_uri is not https: the broker must correct it",
            with("jwks_uri", "http://api.example/jwks")),
        OnlineRow(
            secret, "error: main: discovery: the broker does not offer response_type code: we need it",
            with("response_types_supported", ["id_token"])),
        OnlineRow(
            secret, "error: main: discovery: the broker does not offer PKCE with S256: we need it",
            with("code_challenge_methods_supported", ["plain"])),
    ]
}
