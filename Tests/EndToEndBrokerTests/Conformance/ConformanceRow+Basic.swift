// The modules of the plans Basic, Form Post and Config, and those of the large plan that apply to a client of the code
// flow.
//
// `oidcc-client-basic-certification-test-plan`, `oidcc-client-formpost-basic-certification-test-plan`,
// `oidcc-client-config-certification-test-plan`, `oidcc-client-test-plan`.

extension ConformanceRow {
    static let basic: [ConformanceRow] = [
        .accepts("oidcc-client-test"),
        .token("oidcc-client-test-nonce-invalid"),
        .accepts("oidcc-client-test-scope-userinfo-claims"),
        .token("oidcc-client-test-invalid-iss"),
        .token("oidcc-client-test-invalid-aud"),
        .token("oidcc-client-test-missing-sub"),
        .token("oidcc-client-test-missing-iat"),
        .accepts("oidcc-client-test-kid-absent-single-jwks"),
        .token("oidcc-client-test-kid-absent-multiple-jwks"),
        .accepts("oidcc-client-test-idtoken-sig-rs256"),
        .token("oidcc-client-test-idtoken-sig-none"),
        .token("oidcc-client-test-invalid-sig-rs256"),
        .accepts("oidcc-client-test-userinfo-bearer-header"),
        .userinfo("oidcc-client-test-userinfo-invalid-sub"),
        .accepts("oidcc-client-test-client-secret-basic"),
    ]

    static let config: [ConformanceRow] = [
        .accepts("oidcc-client-test-discovery-openid-config"),
        .accepts("oidcc-client-test-discovery-jwks-uri-keys"),
        .doesNotAsk("oidcc-client-test-discovery-issuer-mismatch"),
        .accepts("oidcc-client-test-signing-key-rotation-just-before-signing"),
        .accepts("oidcc-client-test-signing-key-rotation"),
    ]

    static let large: [ConformanceRow] = [
        .token("oidcc-client-test-missing-aud"),
        .token("oidcc-client-test-invalid-sig-hs256"),
        .token("oidcc-client-test-invalid-sig-es256") { $0.idTokenAlgorithm = "ES256" },
        .response("oidcc-client-test-form-post-error", "broker_error"),
        .accepts("oidcc-client-test-missing-athash"),
        .token("oidcc-client-test-invalid-athash"),
        .accepts("oidcc-client-test-missing-chash"),
        .token("oidcc-client-test-invalid-chash"),
        .accepts("oidcc-client-test-aggregated-claims"),
        .accepts("oidcc-client-test-distributed-claims"),
        .accepts("oidcc-client-test-userinfo-signed") { $0.userinfo = "signed" },
    ]
}
