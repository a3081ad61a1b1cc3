/// What the sandbox can do wrong on purpose in one login.
///
/// Where the OpenID Foundation's conformance suite has a module for it, the raw name is that module's, so that a failing
/// test can be looked up there. Chosen by the field `fault` of the authorize page, or by name from a test.
package enum SandboxFault: String, CaseIterable, Sendable {
    // The authorization response.
    case accessDenied = "error-access-denied"
    case serverError = "error-server-error"
    case loginRequired = "error-login-required"
    case errorWithWrongState = "error-with-wrong-state"
    case errorWithoutIssuer = "error-without-iss"
    case wrongState =
        "fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-state-fails"
    case missingState =
        "fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-missing-state-fails"
    case wrongResponseIssuer = "fapi2-security-profile-final-client-test-invalid-authorization-response-iss"
    case missingResponseIssuer = "fapi2-security-profile-final-client-test-remove-authorization-response-iss"
    case missingCode = "missing-code"
    case repeatedCode = "repeated-code"
    case repeatedState = "repeated-state"
    case answeredTwice = "answered-twice"

    // The token endpoint.
    case tokenInvalidGrant = "token-invalid-grant"
    case tokenServerError = "token-status-500"
    case tokenWrongContentType = "token-wrong-content-type"
    case tokenBrokenJSON = "token-broken-json"
    case tokenHuge = "token-huge-answer"
    case tokenSlow = "token-slow"
    case tokenDead = "token-dead"
    case tokenWithoutIDToken = "token-without-id-token"
    case tokenTypeUnknown = "token-type-unknown"
    case tokenTypeInOddCase = "fapi2-security-profile-final-client-test-token-type-case-insensitivity"
    case expiresInMissing = "fapi2-security-profile-final-client-test-token-endpoint-response-without-expires_in"
    case expiresInString = "token-expires-in-string"

    // The ID token's claims.
    case wrongIssuer = "oidcc-client-test-invalid-iss"
    case missingIssuer = "fapi2-security-profile-final-client-test-invalid-missing-iss"
    case wrongAudience = "oidcc-client-test-invalid-aud"
    case missingAudience = "oidcc-client-test-missing-aud"
    case secondAudience = "fapi2-security-profile-final-client-test-invalid-secondary-aud"
    case wrongAuthorizedParty = "id-token-wrong-azp"
    case audienceAsArray = "fapi2-security-profile-final-client-test-valid-aud-as-array"
    case wrongNonce = "oidcc-client-test-nonce-invalid"
    case missingNonce = "fapi2-security-profile-final-client-test-invalid-missing-nonce"
    case expired = "fapi2-security-profile-final-client-test-invalid-expired-exp"
    case missingExpiry = "fapi2-security-profile-final-client-test-invalid-missing-exp"
    case missingIssuedAt = "oidcc-client-test-missing-iat"
    case issuedInTheFuture = "id-token-iat-in-the-future"
    case issuedLongAgo = "id-token-iat-old"
    case missingSubject = "oidcc-client-test-missing-sub"
    case wrongAccessTokenHash = "oidcc-client-test-invalid-athash"
    case missingAccessTokenHash = "id-token-without-at-hash"
    case staleAuthentication = "id-token-auth-time-old"
    case missingAuthenticationTime = "id-token-without-auth-time"
    case wrongContextClass = "id-token-wrong-acr"

    // The ID token's header, signature and key.
    case badSignatureRS256 = "oidcc-client-test-invalid-sig-rs256"
    case badSignatureES256 = "oidcc-client-test-invalid-sig-es256"
    case unsigned = "oidcc-client-test-idtoken-sig-none"
    case otherAlgorithm = "fapi2-security-profile-final-client-test-invalid-alternate-alg"
    case publicKeyAsSecret = "id-token-hs256-with-the-public-key"
    case unknownKeyID = "id-token-unknown-kid"
    case noKeyIDSingleKey = "oidcc-client-test-kid-absent-single-jwks"
    case noKeyIDSeveralKeys = "oidcc-client-test-kid-absent-multiple-jwks"
    case accessTokenType = "id-token-typ-at+jwt"
    case rotationBeforeSigning = "oidcc-client-test-signing-key-rotation-just-before-signing"
    case rotationAfterSigning = "oidcc-client-test-signing-key-rotation"

    // Userinfo.
    case userinfoWrongSubject = "oidcc-client-test-userinfo-invalid-sub"
    case userinfoMissingSubject = "userinfo-without-sub"
    case userinfoServerError = "userinfo-status-500"

    // Discovery: no login's fault, so it stands until it is taken back.
    case discoveryIssuerMismatch = "oidcc-client-test-discovery-issuer-mismatch"

    /// A relying party that does its work lets this login pass.
    package var isHarmless: Bool { Self.harmless.contains(self) }

    private static let harmless: Set<Self> = [
        .answeredTwice, .tokenTypeInOddCase, .expiresInMissing, .expiresInString, .audienceAsArray,
        .missingAccessTokenHash, .noKeyIDSingleKey, .rotationBeforeSigning, .rotationAfterSigning,
    ]
}
