// Faults of an ID token's header, signature, key and encryption.

extension SandboxFault {
    private static let fapi = "fapi2-security-profile-final-client-test-"

    static let ofSignatures = [
        Self("oidcc-client-test-invalid-sig-rs256", title: "bad RS256 signature", .idToken { $0.corrupt(.rs256) }),
        Self("oidcc-client-test-invalid-sig-es256", title: "bad ES256 signature", .idToken { $0.corrupt(.es256) }),
        Self(
            "oidcc-client-test-invalid-sig-hs256", title: "HS256 with a wrong secret",
            .idToken { $0.signature = .unknownSecret }),
        Self(
            "oidcc-client-test-idtoken-sig-none", Self.fapi + "invalid-null-alg", title: "alg: none",
            .idToken { $0.signature = .absent }),
        Self(
            Self.fapi + "invalid-alternate-alg", title: "signed with the other algorithm",
            .idToken { $0.changeAlgorithm() }),
        Self(
            "id-token-hs256-with-the-public-key", title: "HS256 with the public key",
            .idToken { $0.signature = .publicKeyAsSecret }),
        Self("id-token-unknown-kid", title: "kid: unknown", .idToken { $0.key = .unpublished }),
        Self(
            "oidcc-client-test-kid-absent-single-jwks", title: "kid: missing, one key fits", isHarmless: true,
            .idToken { $0.namesKey = false }),
        Self(
            "oidcc-client-test-kid-absent-multiple-jwks", title: "kid: missing, two keys fit",
            .idToken {
                $0.namesKey = false
                $0.key = .second
            }),
        Self("id-token-typ-at+jwt", title: "typ: at+jwt", .idToken { $0.type = "at+jwt" }),
        Self(
            "oidcc-client-test-signing-key-rotation-just-before-signing", "key-rotation",
            title: "keys change just before signing",
            isHarmless: true, .idToken { $0.key = .fresh }),
        Self(
            "oidcc-client-test-signing-key-rotation", title: "keys change after this login", isHarmless: true,
            .idToken { $0.rotatesAfterwards = true }),
        Self(
            "id-token-not-encrypted", title: "not encrypted, though agreed", needs: .encryptedIDToken,
            .idToken { $0.envelope = .absent }),
        Self(
            "id-token-broken-tag", title: "encrypted, with a wrong authentication tag", needs: .encryptedIDToken,
            .idToken { $0.envelope = .spoiled }),
    ]
}
