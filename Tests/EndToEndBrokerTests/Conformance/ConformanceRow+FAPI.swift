// The FAPI 2.0 modules about the code flow, and those about JARM.
//
// Of `fapi2-security-profile-final-client-test-plan` and `fapi2-message-signing-final-client-test-plan` we use the
// checks, but not the algorithms, and no DPoP (README, "What it does not do").

extension ConformanceRow {
    private static let security = "fapi2-security-profile-final-client-test-"

    static let fapi: [ConformanceRow] = [
        .accepts(Self.security + "happy-path") {
            $0.authentication = "private_key_jwt"
            $0.requestStyle = "par"
        },
        .doesNotAsk(Self.security + "discovery-issuer-mismatch"),
        .token(Self.security + "invalid-iss"),
        .token(Self.security + "invalid-missing-iss"),
        .token(Self.security + "invalid-aud"),
        .token(Self.security + "invalid-missing-aud"),
        .token(Self.security + "invalid-secondary-aud"),
        .accepts(Self.security + "valid-aud-as-array"),
        .token(Self.security + "invalid-null-alg"),
        .token(Self.security + "invalid-alternate-alg") { $0.idTokenAlgorithm = "ES256" },
        .token(Self.security + "invalid-expired-exp"),
        .token(Self.security + "invalid-missing-exp"),
        .token(Self.security + "invalid-nonce"),
        .token(Self.security + "invalid-missing-nonce"),
        .response(Self.security + "invalid-authorization-response-iss"),
        .response(Self.security + "remove-authorization-response-iss"),
        ConformanceRow(Self.security + "ensure-authorization-response-with-invalid-state-fails", .letsFall),
        ConformanceRow(Self.security + "ensure-authorization-response-with-invalid-missing-state-fails", .letsFall),
        .accepts(Self.security + "token-endpoint-response-without-expires_in"),
        .accepts(Self.security + "token-type-case-insensitivity"),
    ]

    static let jarm: [ConformanceRow] =
        [
            .accepts(Self.security + "happy-path", plan: "message signing") {
                $0.authentication = "private_key_jwt"
                $0.requestStyle = "par+jar"
                $0.useJARM()
            }
        ]
        + [
            "without-iss-fails", "with-invalid-iss-fails", "without-aud-fails", "with-invalid-aud-fails",
            "without-exp-fails", "with-expired-exp-fails", "with-invalid-sig-fails", "signature-is-not-none",
        ].map {
            ConformanceRow(Self.security + "ensure-jarm-" + $0, .refuses("invalid_response", tokens: 0, userinfo: 0)) {
                $0.useJARM()
            }
        }
}
