// Cases that no module has: wrong responses that brokers have sent, or that an attacker could send in their name.
import EndToEndSupport

extension ConformanceRow {
    static let ours: [ConformanceRow] =
        Self.responses + Self.signedResponses + Self.tokens + Self.idTokens + Self.encrypted + Self.people + Self.pushed
        + Self.keys

    private static let responses: [ConformanceRow] = [
        .response("error-access-denied", "user_cancelled"),
        .response("error-after-state", "user_cancelled"),
        .response("cancel", "user_cancelled"),
        .response("error-server-error", "broker_error"),
        .response("error-login-required", "broker_error"),
        .response("error-without-iss"),
        .response("missing-code"),
        .response("repeated-code"),
        ConformanceRow("error-with-wrong-state", .letsFall),
        ConformanceRow("repeated-state", .letsFall),
        .accepts("answered-twice"),
    ]

    private static let signedResponses: [ConformanceRow] =
        [
            "jarm-hs256-with-the-public-key", "jarm-unknown-kid", "jarm-typ-at+jwt",
        ].map { ConformanceRow($0, .refuses("invalid_response", tokens: 0, userinfo: 0)) { $0.useJARM() } }
        + [ConformanceRow("response-not-signed", .letsFall) { $0.useJARM() }]

    private static let tokens: [ConformanceRow] = [
        .token("token-invalid-grant", "broker_error"),
        .token("token-status-500", "broker_unavailable"),
        .token("token-wrong-content-type", "broker_unavailable"),
        .token("token-broken-json", "broker_unavailable"),
        .token("token-huge-answer", "broker_unavailable"),
        .token("token-dead", "broker_unavailable"),
        .token("token-without-id-token"),
        .token("token-type-unknown"),
        .accepts("token-expires-in-string"),
        .accepts("code-again"),
        .accepts("token-delayed"),
    ]

    private static let idTokens: [ConformanceRow] = [
        .token("id-token-wrong-azp"),
        .token("id-token-iat-in-the-future"),
        .token("id-token-iat-old"),
        .token("id-token-times-as-strings"),
        .token("id-token-hs256-with-the-public-key"),
        .token("id-token-unknown-kid"),
        .token("id-token-typ-at+jwt"),
        .token("id-token-auth-time-old", "not_fresh", settings: ", prompt: login"),
        .token("id-token-without-auth-time", settings: ", max_age: 60"),
        .token("id-token-wrong-acr", "assurance_too_low", settings: ", acr_values: [substantial]"),
    ]

    private static let encrypted: [ConformanceRow] = [
        .token("id-token-not-encrypted") { $0.encryption = "RSA-OAEP A256GCM" },
        .token("id-token-broken-tag") { $0.encryption = "ECDH-ES A128CBC-HS256" },
    ]

    private static let people: [ConformanceRow] = [
        .userinfo("userinfo-without-sub"),
        .userinfo("userinfo-status-500", "broker_unavailable"),
        .userinfo("userinfo-not-signed", "broker_unavailable") { $0.userinfo = "signed" },
        .userinfo("userinfo-jwt-wrong-iss") { $0.userinfo = "signed" },
        .userinfo("userinfo-jwt-wrong-aud") { $0.userinfo = "signed" },
        .userinfo("userinfo-jwt-bad-signature") { $0.userinfo = "signed" },
        .userinfo("userinfo-jwt-alg-none") { $0.userinfo = "signed" },
        .userinfo("userinfo-jwt-unknown-kid") { $0.userinfo = "signed" },
        .userinfo("userinfo-jwt-not-encrypted") { $0.encryptAll() },
        .userinfo("userinfo-jwt-broken-tag") { $0.encryptAll() },
    ]

    private static let pushed: [ConformanceRow] =
        [
            "par-status-500", "par-status-200", "par-without-request-uri",
            "par-wrong-content-type", "par-broken-json", "par-dead",
        ].map { .doesNotAsk($0) { $0.requestStyle = "par" } }
        + [ConformanceRow("par-invalid-request", .cannotAsk("broker_error")) { $0.requestStyle = "par" }]

    private static let keys: [ConformanceRow] = [
        .accepts("jwks-one-bad-key"),
        .token("jwks-empty", "broker_unavailable"),
    ]
}

extension BrokerVariant {
    fileprivate mutating func encryptAll() {
        self.encryption = "ECDH-ES+A256KW A256CBC-HS512"
        self.userinfo = "encrypted"
    }
}
