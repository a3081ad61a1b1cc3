/// The faults of the ID token's claims and header do what their names say, and nothing else.
import JOSE
import Sandbox
import Testing

@Suite struct IDTokenFaults {
    typealias Check = @Sendable (JSON.Object) -> Bool

    static let now = 1_800_000_000
    static let stranger: JSON = "https://somebody-else.example"

    /// These tokens are signed as they should be.
    static let expected: [(fault: SandboxFault, changed: Set<String>, check: Check)] = [
        (.wrongIssuer, ["iss"], { $0["iss"] == Self.stranger }),
        (.missingIssuer, ["iss"], { $0["iss"] == nil }),
        (.wrongAudience, ["aud"], { $0["aud"] == Self.stranger }),
        (.missingAudience, ["aud"], { $0["aud"] == nil }),
        (.secondAudience, ["aud"], { $0["aud"] == ["test app", Self.stranger] }),
        (.wrongAuthorizedParty, ["aud", "azp"], { $0["azp"] == Self.stranger && $0["aud"]?.array?.count == 2 }),
        (.audienceAsArray, ["aud"], { $0["aud"] == ["test app"] }),
        (.wrongNonce, ["nonce"], { $0["nonce"]?.string.map { $0 != "a-nonce" } == true }),
        (.missingNonce, ["nonce"], { $0["nonce"] == nil }),
        (.expired, ["exp"], { $0["exp"]?.integer == Self.now - 600 }),
        (.missingExpiry, ["exp"], { $0["exp"] == nil }),
        (.missingIssuedAt, ["iat"], { $0["iat"] == nil }),
        (.issuedInTheFuture, ["iat", "exp"], { $0["iat"]?.integer == Self.now + 3600 }),
        (.issuedLongAgo, ["iat"], { $0["iat"]?.integer == Self.now - 172_800 }),
        (.missingSubject, ["sub"], { $0["sub"] == nil }),
        (.wrongAccessTokenHash, ["at_hash"], { $0["at_hash"]?.string?.count == 22 }),
        (.missingAccessTokenHash, ["at_hash"], { $0["at_hash"] == nil }),
        (.staleAuthentication, ["auth_time"], { $0["auth_time"]?.integer == Self.now - 86_400 }),
        (.missingAuthenticationTime, ["auth_time"], { $0["auth_time"] == nil }),
        (.wrongContextClass, ["acr"], { $0["acr"]?.string == "urn:sandbox:acr:none-at-all" }),
    ]

    @Test(arguments: expected)
    func doesWhatItSays(row: (fault: SandboxFault, changed: Set<String>, check: Check)) async throws {
        let stage = try Stage()
        let wrong = try await Self.tokens(stage, row.fault)
        let claims = try await wrong.claims(allowing: .rs256)
        #expect(row.check(claims))
        let right = try await Self.tokens(stage, nil).claims(allowing: .rs256)
        let names = Set(right.names).union(claims.names)
        var changed = names.filter { right[$0] != claims[$0] }
        // It belongs to the access token, so it is another one each time, and wrong only if it does not fit.
        if row.changed.contains("at_hash") {
            #expect(claims["at_hash"]?.string != Tokens.hash(try wrong.accessToken))
        } else {
            #expect(claims["at_hash"]?.string == Tokens.hash(try wrong.accessToken))
            changed.remove("at_hash")
        }
        #expect(changed == row.changed)
        await stage.end()
    }

    @Test(arguments: [(SandboxFault.badSignatureRS256, SignatureAlgorithm.rs256), (.badSignatureES256, .es256)])
    func aBadSignature(fault: SandboxFault, algorithm: SignatureAlgorithm) async throws {
        let stage = try Stage(algorithm: algorithm)
        let tokens = try await Self.tokens(stage, fault)
        await #expect(throws: JWS.Failure.badSignature) { try await tokens.claims(allowing: algorithm) }
        await stage.end()
    }

    @Test func noSignature() async throws {
        let stage = try Stage()
        let token = try await Self.tokens(stage, .unsigned).idToken
        #expect(try CompactJWS(parsing: token).header.algorithm == "none")
        #expect(token.hasSuffix("."))
        await stage.end()
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256]) func theOtherAlgorithm(agreed: SignatureAlgorithm) async throws
    {
        let stage = try Stage(algorithm: agreed)
        let other: SignatureAlgorithm = agreed == .rs256 ? .es256 : .rs256
        let tokens = try await Self.tokens(stage, .otherAlgorithm)
        #expect(try await tokens.claims(allowing: other)["nonce"]?.string == "a-nonce")
        await #expect(throws: JWS.Failure.algorithmNotAllowed) { try await tokens.claims(allowing: agreed) }
        await stage.end()
    }

    /// A verifier that takes the algorithm from the token, and the published key as its key, would be taken in.
    @Test func thePublicKeyAsSecret() async throws {
        let stage = try Stage()
        let token = try await Self.tokens(stage, .publicKeyAsSecret).idToken
        let parts = token.split(separator: ".")
        try #require(parts.count == 3)
        let header = try CompactJWS(parsing: token).header
        #expect(header.algorithm == "HS256")
        let key = try #require(stage.provider.keys.keys.first { $0.keyID == header.keyID })
        let code = HMAC.code(Array("\(parts[0]).\(parts[1])".utf8), key: Secret(key.json.encoded()))
        #expect(Base64URL.encode(code) == parts[2])
        await stage.end()
    }

    @Test func theTypeOfAnAccessToken() async throws {
        let stage = try Stage()
        let tokens = try await Self.tokens(stage, .accessTokenType)
        #expect(try CompactJWS(parsing: tokens.idToken).header.type == "at+jwt")
        #expect(try await tokens.claims(allowing: .rs256)["nonce"]?.string == "a-nonce")
        await stage.end()
    }

    static func tokens(_ stage: Stage, _ fault: SandboxFault?) async throws -> Tokens {
        stage.provider.setFault(fault, for: "test app")
        let code = try #require(try await stage.walk.login(stage.request())["code"])
        return try await Tokens(stage, code: code, fields: [stage.basic()])
    }
}
