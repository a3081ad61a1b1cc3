import JOSE
import Sandbox
import Testing

/// Keys that are named, not named, unknown or changed; and the published set as a relying party sees it.
@Suite struct KeyFaultTests {
    @Test func `the published set has more than one key`() async throws {
        let stage = try Stage()
        let keys = try JWKSet(parsing: try await stage.http.get("/jwks").body)
        #expect(keys.keys.map(\.use) == ["enc", "enc", "sig", "sig"])
        #expect(keys.skipped == 0)
        await stage.end()
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256, .ps256, .edDSA])
    func `a client gets the algorithm it wants`(algorithm: SignatureAlgorithm) async throws {
        let stage = try Stage(algorithm: algorithm)
        let tokens = try await IDTokenFaultTests.tokens(stage, nil)
        #expect(try await tokens.claims(allowing: algorithm)["nonce"]?.string == "a-nonce")
        await stage.end()
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256])
    func `a token without a kid may fit one key`(algorithm: SignatureAlgorithm)
        async throws
    {
        let stage = try Stage(algorithm: algorithm)
        let tokens = try await IDTokenFaultTests.tokens(stage, "oidcc-client-test-kid-absent-single-jwks")
        #expect(try CompactJWS(parsing: tokens.idToken).header.keyID == nil)
        #expect(try await tokens.claims(allowing: algorithm)["nonce"]?.string == "a-nonce")
        await stage.end()
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256])
    func `a token without a kid may fit two keys`(algorithm: SignatureAlgorithm)
        async throws
    {
        let stage = try Stage(algorithm: algorithm)
        let before = stage.provider.keys
        let tokens = try await IDTokenFaultTests.tokens(stage, "oidcc-client-test-kid-absent-multiple-jwks")
        let jws = try CompactJWS(parsing: tokens.idToken)
        #expect(jws.header.keyID == nil)
        await #expect(throws: SignatureError.ambiguousKey) { try await tokens.claims(allowing: algorithm) }
        // A relying party that still has the old set does not accept it either.
        #expect(throws: SignatureError.badSignature) { try jws.verified(with: before, allowing: [algorithm]) }
        // The next login finds the keys as they were.
        let next = try await IDTokenFaultTests.tokens(stage, "oidcc-client-test-kid-absent-single-jwks")
        #expect(try await next.claims(allowing: algorithm)["nonce"]?.string == "a-nonce")
        await stage.end()
    }

    @Test func `a token may have an unknown kid`() async throws {
        let stage = try Stage()
        let tokens = try await IDTokenFaultTests.tokens(stage, "id-token-unknown-kid")
        await #expect(throws: SignatureError.unknownKey) { try await tokens.claims(allowing: .rs256) }
        await stage.end()
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256])
    func `keys may change before signing`(algorithm: SignatureAlgorithm)
        async throws
    {
        let stage = try Stage(algorithm: algorithm)
        let before = stage.provider.keys
        let tokens = try await IDTokenFaultTests.tokens(
            stage, "oidcc-client-test-signing-key-rotation-just-before-signing")
        let jws = try CompactJWS(parsing: tokens.idToken)
        #expect(throws: SignatureError.unknownKey) { try jws.verified(with: before, allowing: [algorithm]) }
        #expect(try await tokens.claims(allowing: algorithm)["nonce"]?.string == "a-nonce")
        await stage.end()
    }

    @Test func `keys may change between logins`() async throws {
        let stage = try Stage()
        let before = stage.provider.keys
        let first = try await IDTokenFaultTests.tokens(stage, "oidcc-client-test-signing-key-rotation")
        _ = try CompactJWS(parsing: first.idToken).verified(with: before, allowing: [.rs256])
        let second = try await IDTokenFaultTests.tokens(stage, nil)
        let jws = try CompactJWS(parsing: second.idToken)
        #expect(throws: SignatureError.unknownKey) { try jws.verified(with: before, allowing: [.rs256]) }
        #expect(try await second.claims(allowing: .rs256)["nonce"]?.string == "a-nonce")
        await stage.end()
    }
}
