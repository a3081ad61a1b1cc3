import JOSE
import Sandbox
import StrictJSON
import Testing

/// Userinfo and ID tokens as signed and encrypted JWTs, and their faults.
@Suite struct SignedUserinfoTests {
    typealias Check = @Sendable (JSON.Object) -> Bool

    /// With a check of the claims, if they can still be read.
    static let expected: [(fault: String, check: Check?)] = [
        ("userinfo-jwt-wrong-iss", { $0["iss"]?.string == "https://somebody-else.example" }),
        ("userinfo-jwt-wrong-aud", { $0["aud"]?.string == "https://somebody-else.example" }),
        ("userinfo-jwt-bad-signature", nil),
        ("userinfo-jwt-alg-none", nil),
        ("userinfo-jwt-unknown-kid", nil),
        ("userinfo-jwt-not-encrypted", nil),
        ("userinfo-jwt-broken-tag", nil),
    ]

    private static let key = Result { try PrivateKey.generate(.p256) }

    private static func encryption() throws -> SandboxClient.Encryption {
        let jwk = try self.key.get().publicKey.jwk(keyID: "client-enc", use: "enc", algorithm: nil)
        return .init(key: jwk, algorithm: .ecdhES, encryption: .a128GCM)
    }

    private static func opened(_ token: String) throws -> String {
        let decrypter = Decrypter(
            keys: [DecryptionKey(try self.key.get(), keyID: "client-enc")], algorithms: [.ecdhES],
            encryptions: [.a128GCM])
        return try decrypter.decrypt(token).plaintext.exposedText
    }

    /// Core §5.3.2.
    @Test(arguments: [false, true]) func `userinfo is signed and encrypted as agreed`(isEncrypted: Bool) async throws {
        let stage = try Stage(userinfo: isEncrypted ? .encrypted(try Self.encryption()) : .signed)
        let answer = try await Self.userinfo(stage, nil)
        #expect(answer["content-type"] == "application/jwt")
        let token = isEncrypted ? try Self.opened(answer.text) : answer.text
        let verified = try CompactJWS(parsing: token).verified(with: stage.provider.keys, allowing: [.rs256])
        let claims = try #require(verified.claims())
        #expect(claims["iss"]?.string == stage.issuer)
        #expect(claims["aud"]?.string == "test app")
        #expect(claims["given_name"]?.string == "Freja")
        await stage.end()
    }

    @Test(arguments: expected) func `each fault does what it says`(row: (fault: String, check: Check?)) async throws {
        let isEncrypted = row.fault.contains("encrypted") || row.fault.contains("tag")
        let stage = try Stage(userinfo: isEncrypted ? .encrypted(try Self.encryption()) : .signed)
        let text = try await Self.userinfo(stage, row.fault).text
        let verified = try? CompactJWS(parsing: isEncrypted ? try Self.opened(text) : text)
            .verified(with: stage.provider.keys, allowing: [.rs256])
        let claims = verified?.claims()
        if let check = row.check { #expect(check(try #require(claims))) } else { #expect(claims == nil) }
        await stage.end()
    }

    @Test(arguments: ["userinfo-not-signed", "userinfo-status-500"])
    func `userinfo may be no JWT at all`(fault: String) async throws {
        let stage = try Stage(userinfo: .signed)
        #expect(try await Self.userinfo(stage, fault)["content-type"] == "application/json")
        await stage.end()
    }

    // MARK: - ID tokens

    @Test func `an ID token is encrypted as agreed`() async throws {
        let stage = try Stage(idTokenEncryption: try Self.encryption())
        let token = try await IDTokenFaultTests.tokens(stage, nil).idToken
        let signed = try CompactJWS(parsing: try Self.opened(token))
        #expect(
            try signed.verified(with: stage.provider.keys, allowing: [.rs256]).claims()?["nonce"]?.string == "a-nonce")
        await stage.end()
    }

    @Test func `an ID token may be plain though encryption was agreed`() async throws {
        let stage = try Stage(idTokenEncryption: try Self.encryption())
        let tokens = try await IDTokenFaultTests.tokens(stage, "id-token-not-encrypted")
        #expect(try await tokens.claims(allowing: .rs256)["nonce"]?.string == "a-nonce")
        await stage.end()
    }

    @Test func `an ID token may have a broken tag`() async throws {
        let stage = try Stage(idTokenEncryption: try Self.encryption())
        let token = try await IDTokenFaultTests.tokens(stage, "id-token-broken-tag").idToken
        #expect(throws: JWEError.decryption) { try Self.opened(token) }
        await stage.end()
    }

    private static func userinfo(_ stage: Stage, _ fault: String?) async throws -> RawClient.Answer {
        try await IDTokenFaultTests.tokens(stage, fault).userinfo()
    }
}
