import Base
import Cryptography
import JOSE
import Sandbox
import StrictJSON
import Testing

/// The faults of the ID token's claims and header do what their names say, and nothing else.
@Suite struct IDTokenFaultTests {
    typealias Check = @Sendable (JSON.Object) -> Bool

    static let now = 1_800_000_000
    static let stranger: JSON = "https://somebody-else.example"

    /// These tokens are signed correctly.
    static let expected: [(fault: String, changed: Set<String>, check: Check)] = [
        ("oidcc-client-test-invalid-iss", ["iss"], { $0["iss"] == Self.stranger }),
        ("fapi2-security-profile-final-client-test-invalid-missing-iss", ["iss"], { $0["iss"] == nil }),
        ("oidcc-client-test-invalid-aud", ["aud"], { $0["aud"] == Self.stranger }),
        ("oidcc-client-test-missing-aud", ["aud"], { $0["aud"] == nil }),
        (
            "fapi2-security-profile-final-client-test-invalid-secondary-aud", ["aud"],
            { $0["aud"] == ["test app", Self.stranger] }
        ),
        ("id-token-wrong-azp", ["aud", "azp"], { $0["azp"] == Self.stranger && $0["aud"]?.array?.count == 2 }),
        ("fapi2-security-profile-final-client-test-valid-aud-as-array", ["aud"], { $0["aud"] == ["test app"] }),
        ("oidcc-client-test-nonce-invalid", ["nonce"], { $0["nonce"]?.string.map { $0 != "a-nonce" } == true }),
        ("fapi2-security-profile-final-client-test-invalid-missing-nonce", ["nonce"], { $0["nonce"] == nil }),
        (
            "fapi2-security-profile-final-client-test-invalid-expired-exp", ["exp"],
            { $0["exp"]?.integer == Self.now - 600 }
        ),
        ("fapi2-security-profile-final-client-test-invalid-missing-exp", ["exp"], { $0["exp"] == nil }),
        ("oidcc-client-test-missing-iat", ["iat"], { $0["iat"] == nil }),
        ("id-token-iat-in-the-future", ["iat", "exp"], { $0["iat"]?.integer == Self.now + 3600 }),
        ("id-token-iat-old", ["iat"], { $0["iat"]?.integer == Self.now - 172_800 }),
        ("oidcc-client-test-missing-sub", ["sub"], { $0["sub"] == nil }),
        ("oidcc-client-test-invalid-athash", ["at_hash"], { $0["at_hash"]?.string?.count == 22 }),
        ("oidcc-client-test-missing-athash", ["at_hash"], { $0["at_hash"] == nil }),
        ("oidcc-client-test-invalid-chash", ["c_hash"], { $0["c_hash"]?.string?.count == 22 }),
        ("oidcc-client-test-missing-chash", ["c_hash"], { $0["c_hash"] == nil }),
        (
            "id-token-times-as-strings", ["exp", "iat", "auth_time"],
            { $0["iat"]?.string == "1800000000" && $0["exp"]?.string != nil && $0["auth_time"]?.string != nil }
        ),
        ("id-token-auth-time-old", ["auth_time"], { $0["auth_time"]?.integer == Self.now - 86_400 }),
        ("id-token-without-auth-time", ["auth_time"], { $0["auth_time"] == nil }),
        ("id-token-wrong-acr", ["acr"], { $0["acr"]?.string == "urn:sandbox:acr:none-at-all" }),
    ]

    @Test(arguments: expected)
    func `each fault does what it says`(row: (fault: String, changed: Set<String>, check: Check)) async throws {
        let stage = try Stage()
        let wrong = try await Self.tokens(stage, row.fault)
        let claims = try await wrong.claims(allowing: .rs256)
        #expect(row.check(claims))
        let right = try await Self.tokens(stage, nil).claims(allowing: .rs256)
        let names = Set(right.names).union(claims.names)
        var changed = names.filter { right[$0] != claims[$0] }
        // The hashes belong to the access token and the code, so they differ each time. They are wrong only if they do
        // not match.
        for (name, text) in [("at_hash", try wrong.accessToken), ("c_hash", wrong.code)] {
            #expect((claims[name]?.string == Tokens.hash(text)) == !row.changed.contains(name))
            if !row.changed.contains(name) { changed.remove(name) }
        }
        #expect(changed == row.changed)
        await stage.end()
    }

    @Test(arguments: [
        ("oidcc-client-test-invalid-sig-rs256", SignatureAlgorithm.rs256),
        ("oidcc-client-test-invalid-sig-es256", .es256),
    ])
    func `a bad signature does not verify`(fault: String, algorithm: SignatureAlgorithm) async throws {
        let stage = try Stage(algorithm: algorithm)
        let tokens = try await Self.tokens(stage, fault)
        await #expect(throws: SignatureError.badSignature) { try await tokens.claims(allowing: algorithm) }
        await stage.end()
    }

    @Test func `a token may have no signature`() async throws {
        let stage = try Stage()
        let token = try await Self.tokens(stage, "oidcc-client-test-idtoken-sig-none").idToken
        #expect(try CompactJWS(parsing: token).header.algorithm == "none")
        #expect(token.hasSuffix("."))
        await stage.end()
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256])
    func `a token may have the other algorithm`(agreed: SignatureAlgorithm) async throws {
        let stage = try Stage(algorithm: agreed)
        let other: SignatureAlgorithm = agreed == .rs256 ? .es256 : .rs256
        let tokens = try await Self.tokens(stage, "fapi2-security-profile-final-client-test-invalid-alternate-alg")
        #expect(try await tokens.claims(allowing: other)["nonce"]?.string == "a-nonce")
        await #expect(throws: SignatureError.algorithmNotAllowed) { try await tokens.claims(allowing: agreed) }
        await stage.end()
    }

    /// HS256 with a secret that no one knows.
    @Test func `a token may be made with a wrong secret`() async throws {
        let stage = try Stage()
        let token = try await Self.tokens(stage, "oidcc-client-test-invalid-sig-hs256").idToken
        let jws = try CompactJWS(parsing: token)
        #expect(jws.header.algorithm == "HS256")
        let secret = try #require(stage.registration.secret)
        // The client's secret is too short for HS256, so it cannot even be tried.
        #expect(throws: SignatureError.self) { try jws.verified(with: secret, allowing: [.hs256]) }
        await stage.end()
    }

    /// A verifier that takes the algorithm from the token, and the published key as the secret, would accept this
    /// token.
    @Test func `a token may be made with the public key as secret`() async throws {
        let stage = try Stage()
        let token = try await Self.tokens(stage, "id-token-hs256-with-the-public-key").idToken
        let parts = token.split(separator: ".")
        try #require(parts.count == 3)
        let header = try CompactJWS(parsing: token).header
        #expect(header.algorithm == "HS256")
        let key = try #require(stage.provider.keys.keys.first { $0.keyID == header.keyID })
        let code = HMAC.code(Array("\(parts[0]).\(parts[1])".utf8), key: Secret(key.json.encoded()))
        #expect(Base64URL.encode(code) == parts[2])
        await stage.end()
    }

    @Test func `an ID token may have the type of an access token`() async throws {
        let stage = try Stage()
        let tokens = try await Self.tokens(stage, "id-token-typ-at+jwt")
        #expect(try CompactJWS(parsing: tokens.idToken).header.type == "at+jwt")
        #expect(try await tokens.claims(allowing: .rs256)["nonce"]?.string == "a-nonce")
        await stage.end()
    }

    static func tokens(_ stage: Stage, _ fault: String?) async throws -> Tokens {
        try stage.provider.setFault(fault, for: "test app")
        let code = try #require(try await stage.walk.login(stage.request())["code"])
        return try await Tokens(stage, code: code, fields: [stage.basic()])
    }
}
