import Base
import JOSE
import OpenIDConnect
import Testing

/// The token request, byte for byte, for each way to authenticate the client.
@Suite struct TokenRequestTests {
    static let base =
        "grant_type=authorization_code&code=a%2Fb+c&redirect_uri=https%3A%2F%2Flogin.example%2Fcallback%2Fid"
        + "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    func request(_ authentication: ClientAuthentication, clientID: String = "app") throws -> ProviderRequest {
        let client = Client(
            clientID: clientID, authentication: authentication, redirectURI: Example.redirectURI)
        return try TokenRequest(code: Secret("a/b c"), challenge: Example.challenge, client: client)
            .providerRequest(metadata: Example.metadata(), now: Example.now)
    }

    func body(_ request: ProviderRequest) -> String { String(decoding: request.body, as: UTF8.self) }

    @Test func `a token request posts a form and accepts JSON`() throws {
        let request = try self.request(.secretPost(Secret("s")))
        #expect(request.purpose == .token)
        #expect(request.method == .post)
        #expect(request.url == "https://id.example/token")
        #expect(request.limit == 262_144)
        #expect(request.fields.map(\.name) == ["Accept", "Content-Type"])
        #expect(request.fields.map(\.value) == ["application/json", "application/x-www-form-urlencoded"])
    }

    /// RFC 6749 §2.3.1 and appendix B, with the example text of appendix B. Another program computed the base64.
    /// Sources: A36.
    @Test(
        arguments: [
            ("app", "s3cret", .formEncoded, "Basic YXBwOnMzY3JldA=="),
            ("app", "s3cret", .raw, "Basic YXBwOnMzY3JldA=="),
            ("urn:my:app", "a+b/c=", .formEncoded, "Basic dXJuJTNBbXklM0FhcHA6YSUyQmIlMkZjJTNE"),
            ("app", "a+b/c=", .raw, "Basic YXBwOmErYi9jPQ=="),
            ("app", "a:b", .raw, "Basic YXBwOmE6Yg=="),
            ("app", " %&+£€", .formEncoded, "Basic YXBwOislMjUlMjYlMkIlQzIlQTMlRTIlODIlQUM="),
        ] as [(String, String, ClientAuthentication.BasicEncoding, String)])
    func `the secret is in the header`(
        _ id: String, _ secret: String, _ encoding: ClientAuthentication.BasicEncoding, _ header: String
    ) throws {
        let request = try self.request(.secretBasic(Secret(secret), encoding), clientID: id)
        #expect(request.fields.first { $0.name == "Authorization" }?.value == header)
        #expect(self.body(request) == Self.base)
    }

    @Test func `an unencoded client ID cannot have a colon`() {
        #expect(throws: ClientAuthenticationError.colonInClientID) {
            try self.request(.secretBasic(Secret("s"), .raw), clientID: "urn:my:app")
        }
    }

    @Test func `the secret is in the form`() throws {
        let request = try self.request(.secretPost(Secret("s3 cr&t")), clientID: "urn:my:app")
        let expected = Self.base + "&client_id=urn%3Amy%3Aapp&client_secret=s3+cr%26t"
        #expect(self.body(request) == expected)
        #expect(!request.fields.contains { $0.name == "Authorization" })
    }

    /// RFC 7523 §3, with each setting of the audience.
    @Test(
        arguments: [
            (.issuer, "https://id.example"), (.tokenEndpoint, "https://id.example/token"),
            (.endpoint, "https://id.example/token"),
        ] as [(ClientAuthentication.AssertionAudience, String)])
    func `an assertion is signed with the client's key`(
        _ audience: ClientAuthentication.AssertionAudience, _ expected: String
    ) throws {
        let keys = try TestKeys.shared()
        let signer = try JWTSigner(key: keys.rsa, algorithm: .ps256, keyID: "rsa")
        let body = self.body(try self.request(.privateKeyJWT(signer, audience: audience)))
        let start =
            Self.base + "&client_id=app&client_assertion_type="
            + "urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer&client_assertion="
        #expect(body.hasPrefix(start))

        let assertion = try CompactJWS(parsing: String(body.dropFirst(start.count)))
            .verified(with: keys.published, allowing: [.ps256])
        #expect(assertion.header.type == "JWT")
        #expect(assertion.header.keyID == "rsa")
        var claims = try #require(assertion.claims())
        #expect(try Base64URL.decode(#require(claims["jti"]?.string))?.count == 16)
        claims["jti"] = nil
        #expect(
            claims == [
                "iss": "app", "sub": "app", "aud": .string(expected), "iat": 1_800_000_000, "exp": 1_800_000_060,
            ])
    }

    /// Core 9: the key is the secret's bytes, unchanged.
    @Test func `an assertion is signed with the client's secret`() throws {
        let secret = Secret("c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0")
        let signer = try JWTSigner(secret: secret, algorithm: .hs256)
        let body = self.body(try self.request(.secretJWT(signer, audience: .issuer)))
        let start =
            Self.base + "&client_id=app&client_assertion_type="
            + "urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer&client_assertion="
        #expect(body.hasPrefix(start))
        let assertion = try CompactJWS(parsing: String(body.dropFirst(start.count)))
            .verified(with: secret, allowing: [.hs256])
        #expect(assertion.header.type == "JWT")
        #expect(assertion.claims()?["aud"] == "https://id.example")
        #expect(assertion.claims()?["sub"] == "app")
    }

    /// RFC 8705 §2: the certificate proves the identity, and the form only names it.
    @Test(arguments: [true, false]) func `with mutual TLS the form only names the client`(_ selfSigned: Bool) throws {
        let request = try self.request(.mutualTLS(selfSigned: selfSigned), clientID: "urn:my:app")
        #expect(self.body(request) == Self.base + "&client_id=urn%3Amy%3Aapp")
        #expect(!request.fields.contains { $0.name == "Authorization" })
    }
}
