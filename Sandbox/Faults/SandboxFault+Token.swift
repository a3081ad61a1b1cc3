// Faults of the token response, and of the claims in an ID token.

extension SandboxFault {
    private static let fapi = "fapi2-security-profile-final-client-test-"

    static let ofTokenAnswers = [
        Self("token-invalid-grant", title: "error=invalid_grant", .tokenAnswer { $0 = .error(.invalidGrant) }),
        Self("token-status-500", title: "status 500", .tokenAnswer { $0 = .internalServerError }),
        Self(
            "token-wrong-content-type", title: "content type text/html", .tokenAnswer { $0.contentType = "text/html" }),
        Self("token-broken-json", title: "JSON cut off", .tokenAnswer { $0.cutOff() }),
        Self(
            "token-huge-answer", title: "a response of 8 MB",
            .tokenAnswer { $0.members["padding"] = .string(Self.padding) }),
        Self("code-again", title: "a code that is used again returns tokens again", isHarmless: true, .repeatableCode),
        Self(
            "token-delayed", title: "responds after a few seconds", isHarmless: true,
            .tokenAnswer { $0.delivery = .delayed }),
        Self("token-slow", "slow-token-endpoint", title: "responds too late", .tokenAnswer { $0.delivery = .late }),
        Self(
            "token-dead", "dead-token-endpoint", title: "closes without a response",
            .tokenAnswer { $0.delivery = .never }),
        Self("token-without-id-token", title: "no id_token", .tokenAnswer { $0.members["id_token"] = nil }),
        Self("token-type-unknown", title: "token_type: mac", .tokenAnswer { $0.members["token_type"] = "mac" }),
        Self(
            Self.fapi + "token-type-case-insensitivity", title: "token_type: bEARER", isHarmless: true,
            .tokenAnswer { $0.members["token_type"] = "bEARER" }),
        Self(
            Self.fapi + "token-endpoint-response-without-expires_in", title: "no expires_in", isHarmless: true,
            .tokenAnswer { $0.members["expires_in"] = nil }),
        Self(
            "token-expires-in-string", title: "expires_in as a string", isHarmless: true,
            .tokenAnswer { $0.members["expires_in"] = "300" }),
    ]

    static let ofClaims = [
        Self(
            "oidcc-client-test-invalid-iss", Self.fapi + "invalid-iss", title: "iss: wrong",
            .idToken { $0.claims["iss"] = .string(Self.stranger) }),
        Self(Self.fapi + "invalid-missing-iss", title: "iss: missing", .idToken { $0.claims["iss"] = nil }),
        Self(
            "oidcc-client-test-invalid-aud", Self.fapi + "invalid-aud", title: "aud: wrong",
            .idToken { $0.claims["aud"] = .string(Self.stranger) }),
        Self(
            "oidcc-client-test-missing-aud", Self.fapi + "invalid-missing-aud", title: "aud: missing",
            .idToken { $0.claims["aud"] = nil }),
        Self(
            Self.fapi + "invalid-secondary-aud", title: "aud: another party too, no azp",
            .idToken { $0.claims["aud"] = [.string($0.client.clientID), .string(Self.stranger)] }),
        Self(
            "id-token-wrong-azp", title: "aud: another party too, which is the azp",
            .idToken {
                $0.claims["aud"] = [.string($0.client.clientID), .string(Self.stranger)]
                $0.claims["azp"] = .string(Self.stranger)
            }),
        Self(
            Self.fapi + "valid-aud-as-array", title: "aud: array of one", isHarmless: true,
            .idToken { $0.claims["aud"] = [.string($0.client.clientID)] }),
        Self(
            "oidcc-client-test-nonce-invalid", Self.fapi + "invalid-nonce", title: "nonce: wrong",
            .idToken { $0.claims["nonce"] = "a-nonce-nobody-sent" }),
        Self(Self.fapi + "invalid-missing-nonce", title: "nonce: missing", .idToken { $0.claims["nonce"] = nil }),
        Self(
            Self.fapi + "invalid-expired-exp", title: "exp: ten minutes ago", .idToken { $0.set("exp", .seconds(-600)) }
        ),
        Self(Self.fapi + "invalid-missing-exp", title: "exp: missing", .idToken { $0.claims["exp"] = nil }),
        Self("oidcc-client-test-missing-iat", title: "iat: missing", .idToken { $0.claims["iat"] = nil }),
        Self(
            "id-token-iat-in-the-future", title: "iat: in an hour",
            .idToken {
                $0.set("iat", .seconds(3600))
                $0.set("exp", .seconds(3900))
            }),
        Self("id-token-iat-old", title: "iat: two days ago", .idToken { $0.set("iat", .seconds(-172_800)) }),
        Self(
            "id-token-times-as-strings", title: "exp, iat, auth_time as strings",
            .idToken { draft in
                for name in ["exp", "iat", "auth_time"] {
                    draft.claims[name] = draft.claims[name]?.integer.map { .string(String($0)) }
                }
            }),
        Self("oidcc-client-test-missing-sub", title: "sub: missing", .idToken { $0.claims["sub"] = nil }),
        Self(
            "oidcc-client-test-invalid-athash", title: "at_hash: wrong",
            .idToken { $0.claims["at_hash"] = $0.hash(of: "another token") }),
        Self(
            "oidcc-client-test-missing-athash", title: "at_hash: missing", isHarmless: true,
            .idToken { $0.claims["at_hash"] = nil }),
        Self(
            "oidcc-client-test-invalid-chash", title: "c_hash: wrong",
            .idToken { $0.claims["c_hash"] = $0.hash(of: "another code") }),
        Self(
            "oidcc-client-test-missing-chash", title: "c_hash: missing", isHarmless: true,
            .idToken { $0.claims["c_hash"] = nil }),
        Self(
            "id-token-auth-time-old", title: "auth_time: yesterday", needs: .freshLogin,
            .idToken { $0.set("auth_time", .seconds(-86_400)) }),
        Self(
            "id-token-without-auth-time", title: "auth_time: missing", needs: .freshLogin,
            .idToken { $0.claims["auth_time"] = nil }),
        Self(
            "id-token-wrong-acr", title: "acr: wrong", needs: .contextClass,
            .idToken { $0.claims["acr"] = "urn:sandbox:acr:none-at-all" }),
    ]
}
