import Base
import HTTPWire
import JOSE
import Sandbox
import StrictJSON
import Testing

/// Client authentication at the token endpoint (RFC 6749 §2.3, RFC 7523 §3), right and wrong.
@Suite struct ClientProofTests {
    static let awkwardSecrets = ["plain", "with space", "a+b", "100%", "a%2Bb", "a:b", "a&b=c", "æøå", "%"]

    @Test(arguments: awkwardSecrets, [false, true])
    func `the secret in the header is accepted`(secret: String, raw: Bool) async throws {
        let stage = try Stage(secret: secret)
        let code = try #require(try await stage.walk.login(stage.request())["code"])
        let tokens = try await Tokens(stage, code: code, fields: [stage.basic(secret: secret, raw: raw)])
        #expect(tokens.answer.status == 200)
        await stage.end()
    }

    static let wrongBasic: [(name: String, header: String)] = [
        ("RFC 6749 §2.3.1: wrong secret", "Basic " + Base64.encode(Array("test app:wrong".utf8))),
        ("RFC 6749 §2.3.1: no secret", "Basic " + Base64.encode(Array("test app:".utf8))),
        ("RFC 6749 §2.3.1: unknown client", "Basic " + Base64.encode(Array("nobody:a secret: 100% + more".utf8))),
        ("RFC 7617 §2: no colon", "Basic " + Base64.encode(Array("test app".utf8))),
        ("RFC 7617 §2: no base64", "Basic !!!"),
        ("RFC 6749 §2.3.1: another scheme", "Bearer abc"),
    ]

    @Test(arguments: wrongBasic) func `a wrong header is refused`(name: String, header: String) async throws {
        let stage = try Stage()
        let tokens = try await Tokens(stage, code: "a", fields: ["Authorization: \(header)"])
        #expect(tokens.answer.status == 401)
        #expect(tokens.error == "invalid_client")
        #expect(tokens.answer["www-authenticate"]?.hasPrefix("Basic ") == true)
        await stage.end()
    }

    @Test func `a client without a proof is refused`() async throws {
        let stage = try Stage()
        #expect(try await Tokens(stage, code: "a").error == "invalid_client")
        await stage.end()
    }

    /// RFC 6749 §2.3.
    @Test func `a client with two proofs is refused`() async throws {
        let stage = try Stage()
        let proof = [Parameter("client_id", "test app"), Parameter("client_secret", "a secret: 100% + more")]
        let tokens = try await Tokens(stage, code: "a", fields: [stage.basic()], extra: proof)
        #expect(tokens.error == "invalid_request")
        await stage.end()
    }

    @Test func `a secret at the wrong place is refused`() async throws {
        let stage = try Stage()
        let proof = [Parameter("client_id", "test app"), Parameter("client_secret", "a secret: 100% + more")]
        #expect(try await Tokens(stage, code: "a", extra: proof).error == "invalid_client")
        await stage.end()
    }

    @Test func `another client ID is refused`() async throws {
        let stage = try Stage()
        let tokens = try await Tokens(
            stage, code: "a", fields: [stage.basic()], extra: [Parameter("client_id", "other")])
        #expect(tokens.error == "invalid_request")
        await stage.end()
    }

    // MARK: - private_key_jwt

    static let acceptedAudiences = ["issuer", "token endpoint", "list"]

    @Test(arguments: acceptedAudiences) func `an assertion may have each audience`(name: String) async throws {
        let stage = try Stage(authentication: .privateKeyJWT)
        let code = try #require(try await stage.walk.login(stage.request())["code"])
        let audience: JSON =
            switch name {
            case "issuer": .string(stage.issuer)
            case "token endpoint": .string(stage.issuer + "/token")
            default: [.string(stage.issuer)]
            }
        let tokens = try await Tokens(stage, code: code, extra: try stage.assertion(["aud": audience]))
        #expect(tokens.answer.status == 200)
        await stage.end()
    }

    static let wrongAssertions: [(name: String, changes: JSON.Object, without: [String])] = [
        ("RFC 7523 §3.1: another iss", ["iss": "somebody"], []),
        ("RFC 7523 §3.2: another sub", ["sub": "somebody"], []),
        ("RFC 7523 §3.3: another aud", ["aud": "https://other.example"], []),
        ("RFC 7523 §3.3: no aud", [:], ["aud"]),
        ("RFC 7523 §3.4: exp has passed", ["exp": 1_800_000_000], []),
        ("RFC 7523 §3.4: no exp", [:], ["exp"]),
        ("exp is days away", ["exp": 1_800_900_000], []),
        ("RFC 7523 §3.5: nbf has not come", ["nbf": 1_800_000_100], []),
        ("RFC 7523 §3.6: iat has not come", ["iat": 1_800_000_100], []),
        ("Core §9: no jti", [:], ["jti"]),
    ]

    @Test(arguments: wrongAssertions)
    func `a wrong assertion is refused`(name: String, changes: JSON.Object, without: [String]) async throws {
        let stage = try Stage(authentication: .privateKeyJWT)
        let proof = try stage.assertion(changes, without: without)
        let tokens = try await Tokens(stage, code: "a", extra: proof)
        #expect(tokens.answer.status == 401)
        #expect(tokens.error == "invalid_client")
        await stage.end()
    }

    /// Core §9: `jti` can be used once.
    @Test func `an assertion that comes twice is refused`() async throws {
        let stage = try Stage(authentication: .privateKeyJWT)
        let code = try #require(try await stage.walk.login(stage.request())["code"])
        let proof = try stage.assertion()
        #expect(try await Tokens(stage, code: code, extra: proof).error == nil)
        #expect(try await Tokens(stage, code: code, extra: proof).error == "invalid_client")
        await stage.end()
    }

    @Test func `an assertion signed by another party is refused`() async throws {
        let stage = try Stage(authentication: .privateKeyJWT)
        let good = try stage.assertion()
        let other = try JWTSigner(key: try .generate(.p256), algorithm: .es256, keyID: "client-1").sign([:])
        let signature = try #require(other.split(separator: ".").last)
        let parts = try #require(good.last?.value).split(separator: ".")
        let token = parts.dropLast().joined(separator: ".") + "." + signature
        let tokens = try await Tokens(stage, code: "a", extra: [good[0], Parameter("client_assertion", token)])
        #expect(tokens.error == "invalid_client")
        await stage.end()
    }

    @Test func `an assertion of another type is refused`() async throws {
        let stage = try Stage(authentication: .privateKeyJWT)
        let token = try #require(try stage.assertion().last)
        let type = Parameter("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:saml2-bearer")
        #expect(try await Tokens(stage, code: "a", extra: [type, token]).error == "invalid_client")
        await stage.end()
    }

    /// An assertion does not help a client that registered a secret.
    @Test func `an assertion of a client with a secret is refused`() async throws {
        let stage = try Stage()
        #expect(try await Tokens(stage, code: "a", extra: try stage.assertion()).error == "invalid_client")
        await stage.end()
    }
}
