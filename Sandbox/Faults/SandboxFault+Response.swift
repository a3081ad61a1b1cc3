// Faults of the authorization response, plain and signed.

extension SandboxFault {
    private static let fapi = "fapi2-security-profile-final-client-test-"

    static let ofResponses = [
        Self(
            "error-access-denied", "error-before-state", title: "error=access_denied before state",
            .authorizationResponse { $0.deny(.accessDenied) }),
        Self("error-server-error", title: "error=server_error", .authorizationResponse { $0.deny(.serverError) }),
        Self(
            "error-login-required", "oidcc-client-test-form-post-error", title: "error=login_required",
            .authorizationResponse { $0.deny(.loginRequired) }),
        Self(
            "error-after-state", title: "error=access_denied after state",
            .authorizationResponse {
                $0["code"] = nil
                $0["error"] = OAuthErrorCode.accessDenied.rawValue
            }),
        Self(
            "error-with-wrong-state", title: "error=access_denied with a wrong state",
            .authorizationResponse {
                $0.deny(.accessDenied)
                $0.alterState()
            }),
        Self(
            "error-without-iss", title: "error=access_denied without iss",
            .authorizationResponse {
                $0.deny(.accessDenied)
                $0["iss"] = nil
            }),
        Self(
            Self.fapi + "ensure-authorization-response-with-invalid-state-fails", title: "state: wrong",
            .authorizationResponse { $0.alterState() }),
        Self(
            Self.fapi + "ensure-authorization-response-with-invalid-missing-state-fails", title: "state: missing",
            .authorizationResponse { $0["state"] = nil }),
        Self(
            Self.fapi + "invalid-authorization-response-iss", title: "iss: wrong",
            .authorizationResponse { $0["iss"] = Self.stranger }),
        Self(
            Self.fapi + "remove-authorization-response-iss", title: "iss: missing",
            .authorizationResponse { $0["iss"] = nil }),
        Self("missing-code", title: "code: missing", .authorizationResponse { $0["code"] = nil }),
        Self("repeated-code", title: "code: twice in one response", .authorizationResponse { $0.duplicate("code") }),
        Self("repeated-state", title: "state: twice in one response", .authorizationResponse { $0.duplicate("state") }),
        Self(
            "answered-twice", "duplicate-callback", title: "the same response, sent twice", isHarmless: true,
            .authorizationResponse { $0.isSentTwice = true }),
        Self(
            "response-not-signed", title: "not signed, although requested", needs: .signedResponse,
            .authorizationResponse { $0.isPlain = true }),
    ]

    static let ofSignedResponses = [
        Self(
            Self.fapi + "ensure-jarm-without-iss-fails", title: "iss: missing",
            .signedResponse { $0.claims["iss"] = nil }),
        Self(
            Self.fapi + "ensure-jarm-with-invalid-iss-fails", title: "iss: wrong",
            .signedResponse { $0.claims["iss"] = .string(Self.stranger) }),
        Self(
            Self.fapi + "ensure-jarm-without-aud-fails", title: "aud: missing",
            .signedResponse { $0.claims["aud"] = nil }),
        Self(
            Self.fapi + "ensure-jarm-with-invalid-aud-fails", title: "aud: wrong",
            .signedResponse { $0.claims["aud"] = .string(Self.stranger) }),
        Self(
            Self.fapi + "ensure-jarm-without-exp-fails", title: "exp: missing",
            .signedResponse { $0.claims["exp"] = nil }),
        Self(
            Self.fapi + "ensure-jarm-with-expired-exp-fails", title: "exp: ten minutes ago",
            .signedResponse { $0.set("exp", .seconds(-600)) }),
        Self(
            Self.fapi + "ensure-jarm-with-invalid-sig-fails", title: "bad signature",
            .signedResponse { $0.signature = .spoiled }),
        Self(
            Self.fapi + "ensure-jarm-signature-is-not-none", title: "alg: none",
            .signedResponse { $0.signature = .absent }),
        Self(
            "jarm-hs256-with-the-public-key", title: "HS256 with the public key",
            .signedResponse { $0.signature = .publicKeyAsSecret }),
        Self("jarm-unknown-kid", title: "kid: unknown", .signedResponse { $0.key = .unpublished }),
        Self("jarm-typ-at+jwt", title: "typ: at+jwt", .signedResponse { $0.type = "at+jwt" }),
    ]
}
