// Faults of the userinfo, as JSON and as a JWT.

import StrictJSON

extension SandboxFault {
    static let ofUserinfo = [
        Self(
            "oidcc-client-test-userinfo-invalid-sub", title: "sub: wrong",
            .userinfo { $0.members["sub"] = "sandbox-somebody-else" }),
        Self("userinfo-without-sub", title: "sub: missing", .userinfo { $0.members["sub"] = nil }),
        Self("userinfo-status-500", title: "status 500", .userinfo { $0 = .internalServerError }),
        Self(
            "userinfo-not-signed", title: "JSON, although a JWT was agreed", needs: .signedUserinfo,
            .userinfo { $0.isPlain = true }),
        Self(
            "oidcc-client-test-aggregated-claims", title: "claims of another provider, as a JWT", isHarmless: true,
            .userinfo { answer in
                let source: JSON = ["JWT": "eyJhbGciOiJub25lIn0.eyJnaXZlbl9uYW1lIjoiTm9ib2R5In0."]
                answer.members["_claim_names"] = ["given_name": "src1"]
                answer.members["_claim_sources"] = ["src1": source]
            }),
        Self(
            "oidcc-client-test-distributed-claims", title: "claims of another provider, to fetch", isHarmless: true,
            .userinfo { answer in
                let source: JSON = ["endpoint": .string(Self.stranger + "/claims"), "access_token": "nobody's"]
                answer.members["_claim_names"] = ["credit_score": "src1"]
                answer.members["_claim_sources"] = ["src1": source]
            }),
    ]

    static let ofSignedUserinfo = [
        Self(
            "userinfo-jwt-wrong-iss", title: "iss: wrong",
            .signedUserinfo { $0.claims["iss"] = .string(Self.stranger) }),
        Self(
            "userinfo-jwt-wrong-aud", title: "aud: wrong",
            .signedUserinfo { $0.claims["aud"] = .string(Self.stranger) }),
        Self("userinfo-jwt-bad-signature", title: "bad signature", .signedUserinfo { $0.signature = .spoiled }),
        Self("userinfo-jwt-alg-none", title: "alg: none", .signedUserinfo { $0.signature = .absent }),
        Self("userinfo-jwt-unknown-kid", title: "kid: unknown", .signedUserinfo { $0.key = .unpublished }),
        Self(
            "userinfo-jwt-not-encrypted", title: "not encrypted, though agreed", needs: .encryptedUserinfo,
            .signedUserinfo { $0.envelope = .absent }),
        Self(
            "userinfo-jwt-broken-tag", title: "encrypted, with a wrong authentication tag", needs: .encryptedUserinfo,
            .signedUserinfo { $0.envelope = .spoiled }),
    ]
}
