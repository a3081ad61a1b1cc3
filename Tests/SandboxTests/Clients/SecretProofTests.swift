import Base
import HTTPWire
import JOSE
import Sandbox
import StrictJSON
import Testing

/// Clients whose secret is a key (`client_secret_jwt`, HS256 request objects) or who present a certificate (RFC 8705).
@Suite struct SecretProofTests {
    private static let secret = "a secret of thirty-two bytes or more: 100% + æ"

    private static func signer(_ secret: String = Self.secret) throws -> JWTSigner {
        try JWTSigner(secret: Secret(secret), algorithm: .hs256)
    }

    private static func assertion(_ stage: Stage, _ signer: JWTSigner) throws -> [Parameter] {
        let claims: JSON.Object = [
            "iss": "test app", "sub": "test app", "aud": .string(stage.issuer), "jti": .string(Stage.random()),
            "iat": .integer(stage.clock.now.seconds), "exp": .integer(stage.clock.now.seconds + 60),
        ]
        return [
            Parameter("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
            Parameter("client_assertion", try signer.sign(claims)),
        ]
    }

    @Test func `an assertion made with the secret is accepted`() async throws {
        let stage = try Stage(authentication: .clientSecretJWT, secret: Self.secret)
        let code = try #require(try await stage.walk.login(stage.request())["code"])
        let tokens = try await Tokens(stage, code: code, extra: try Self.assertion(stage, try Self.signer()))
        #expect(tokens.answer.status == 200)
        await stage.end()
    }

    /// The client's secret is no key, and its key is no secret (RFC 8725 §2.1).
    @Test func `what is made with something else is refused`() async throws {
        let stage = try Stage(authentication: .clientSecretJWT, secret: Self.secret)
        let wrong = try Self.assertion(stage, try Self.signer("another secret of thirty-two bytes or more"))
        #expect(try await Tokens(stage, code: "a", extra: wrong).error == "invalid_client")
        #expect(try await Tokens(stage, code: "a", extra: try stage.assertion()).error == "invalid_client")
        let keyed = try Stage(authentication: .privateKeyJWT, secret: Self.secret)
        let proof = try Self.assertion(keyed, try Self.signer())
        #expect(try await Tokens(keyed, code: "a", extra: proof).error == "invalid_client")
        await stage.end()
        await keyed.end()
    }

    /// Core §10.1: the bytes of the secret, unencoded.
    @Test func `a request object made with the secret is accepted`() async throws {
        let stage = try Stage(secret: Self.secret)
        let object = try Self.signer().sign(RequestObjects.claims(stage))
        #expect(try await stage.walk.login(RequestObjects.outer(object))["state"] == "a-state")
        let wrong = try Self.signer("another secret of thirty-two bytes or more").sign(RequestObjects.claims(stage))
        #expect(try await stage.walk.open(RequestObjects.outer(wrong)).status == 400)
        await stage.end()
    }

    // MARK: - RFC 8705

    private static let certificate = Array("no certificate, but the bytes of one".utf8)

    /// Returns the field as a proxy sends it.
    private static func shown(_ certificate: [UInt8]) -> String {
        let pem =
            "-----BEGIN CERTIFICATE-----\n\(Base64.encode(certificate))\n-----END CERTIFICATE-----\n"
        return "X-Client-Certificate: " + FormBody.encode([Parameter("", pem)]).dropFirst().replacing("+", with: "%20")
    }

    @Test(arguments: [SandboxClient.Authentication.tlsClientAuth, .selfSignedTLSClientAuth])
    func `only the registered certificate is accepted`(method: SandboxClient.Authentication) async throws {
        let stage = try Stage(
            authentication: method, certificate: Self.certificate, mutualTLS: "https://mtls.example")
        let aliases = try await stage.discovery()["mtls_endpoint_aliases"]?.object
        #expect(aliases?["token_endpoint"]?.string == "https://mtls.example/token")
        let code = try #require(try await stage.walk.login(stage.request())["code"])
        let client = [Parameter("client_id", "test app")]
        #expect(try await Tokens(stage, code: "a", extra: client).error == "invalid_client", "none is shown")
        let other = Self.shown(Self.certificate + [0])
        #expect(try await Tokens(stage, code: "a", fields: [other], extra: client).error == "invalid_client")
        let tokens = try await Tokens(stage, code: code, fields: [Self.shown(Self.certificate)], extra: client)
        #expect(tokens.answer.status == 200)
        await stage.end()
    }

    /// Without a proxy in front, any client could send the field.
    @Test func `without a proxy no certificate is believed`() async throws {
        let stage = try Stage(authentication: .tlsClientAuth, certificate: Self.certificate)
        let tokens = try await Tokens(
            stage, code: "a", fields: [Self.shown(Self.certificate)], extra: [Parameter("client_id", "test app")])
        #expect(tokens.error == "invalid_client")
        #expect(try await stage.discovery()["mtls_endpoint_aliases"] == nil)
        await stage.end()
    }
}
