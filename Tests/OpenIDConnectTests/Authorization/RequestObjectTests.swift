import Base
import JOSE
import OpenIDConnect
import Testing

/// The signed authorization request (RFC 9101), as the provider reads it.
@Suite struct RequestObjectTests {
    static func request(_ style: Client.RequestStyle, type: String? = nil) throws -> AuthorizationRequest {
        let signer = try JWTSigner(key: TestKeys.shared().p256, algorithm: .es256, keyID: "p256")
        var client = Example.client(responseMode: .formPost, requestStyle: style, requestObject: signer)
        if let type { client.requestObjectType = type }
        return AuthorizationRequest(
            client: client, challenge: Example.challenge, scope: ["openid", "profile"], prompt: "login", maxAge: 30,
            acrValues: ["urn:a"], claims: ["id_token": ["given_name": .null]],
            additional: [Parameter("idp_params", "{\"a\":1}")])
    }

    static func signed(_ metadata: ProviderMetadata) throws -> String { try self.request(.jar).url(metadata) }

    static func object(in text: String) throws -> VerifiedJWS {
        let token = try #require(text.split(separator: "&request=").last)
        return try CompactJWS(parsing: String(token)).verified(
            with: TestKeys.shared().published, allowing: [.es256])
    }

    /// Core 6.1: `response_type` and `scope` stay outside too, and so does `redirect_uri`, for providers that look for
    /// it there (RFC 9101 §5 permits it). All else is only inside.
    @Test func `only parameters that providers look for stand outside the object`() throws {
        let url = try Self.signed(Example.metadata())
        let start =
            "https://id.example/authorize?client_id=app&response_type=code&scope=openid%20profile"
            + "&redirect_uri=https%3A%2F%2Flogin.example%2Fcallback%2Fid&request="
        #expect(url.hasPrefix(start))
        #expect(!url.dropFirst(start.count).contains("&"))
    }

    /// Sources: D26, K6.
    @Test func `the object has the claims of the request`() throws {
        let object = try Self.object(in: Self.signed(Example.metadata()))
        #expect(object.header.type == "oauth-authz-req+jwt")
        #expect(object.header.keyID == "p256")
        var claims = try #require(object.claims())
        let identifier = try #require(claims["jti"]?.string)
        #expect(Base64URL.decode(identifier)?.count == 16)
        claims["jti"] = nil
        #expect(
            claims == [
                "iss": "app", "aud": "https://id.example", "iat": 1_800_000_000, "nbf": 1_800_000_000,
                "exp": 1_800_000_300, "client_id": "app", "response_type": "code", "scope": "openid profile",
                "redirect_uri": "https://login.example/callback/id", "state": "st", "nonce": "bm9uY2U",
                "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
                "response_mode": "form_post", "prompt": "login", "max_age": 30, "acr_values": "urn:a",
                "claims": ["id_token": ["given_name": .null]], "idp_params": "{\"a\":1}",
            ])
    }

    /// RFC 9126 §3: a posted object is the same object, and beside it only the client's identity is sent.
    @Test func `a posted object is the same object`() throws {
        let request = try #require(try Self.request(.parAndJAR).push(Example.metadata()))
        let body = String(decoding: request.body, as: UTF8.self)
        let parts = body.split(separator: "&").map { $0.prefix { $0 != "=" } }
        #expect(parts == ["client_id", "request", "client_secret"])
        let object =
            String(body.prefix { $0 != "&" }) + "&" + (try #require(body.split(separator: "&").dropFirst().first))
        let inURL = try #require(try Self.object(in: Self.signed(Example.metadata())).claims())
        var claims = try #require(try Self.object(in: object).claims())
        claims["jti"] = inURL["jti"]
        #expect(claims == inURL)
    }

    /// Some providers accept only one of them.
    @Test(arguments: ["JWT", "jwt"]) func `the type of an object can be another`(_ type: String) throws {
        let url = try Self.request(.jar, type: type).url(Example.metadata())
        #expect(try Self.object(in: url).header.type == type)
    }

    /// RFC 7518 §3.2 with the secret's bytes unchanged, even when they look like base64.
    @Test(arguments: ["c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0", "s3cret/s3cret+s3cret=s3cret-æøå!"])
    func `an object can be signed with the secret of the client`(_ text: String) throws {
        let signer = try JWTSigner(secret: Secret(text), algorithm: .hs256)
        let request = AuthorizationRequest(
            client: Example.client(requestStyle: .jar, requestObject: signer), challenge: Example.challenge,
            scope: ["openid"])
        let token = try #require(request.url(Example.metadata()).split(separator: "&request=").last)
        let object = try CompactJWS(parsing: String(token)).verified(with: Secret(text), allowing: [.hs256])
        #expect(object.header.type == "oauth-authz-req+jwt")
        #expect(object.claims()?["nonce"] == "bm9uY2U")
    }

    @Test(arguments: [Client.RequestStyle.jar, .parAndJAR]) func `without a signer nothing is sent`(
        _ style: Client.RequestStyle
    ) throws {
        let request = AuthorizationRequest(
            client: Example.client(requestStyle: style), challenge: Example.challenge, scope: ["openid"])
        #expect(throws: AuthorizationRequestError.signing) {
            try request.authorization(metadata: Example.metadata(), now: Example.now)
        }
    }

    /// A signer does not sign a request that must be plain.
    @Test func `a plain request has no request object`() throws {
        #expect(try !Self.request(.plain).url(Example.metadata()).contains("&request="))
        let push = try #require(try Self.request(.par).push(Example.metadata()))
        #expect(!String(decoding: push.body, as: UTF8.self).contains("&request="))
    }

    /// RFC 9101 §10.8: with `sub` the object could be replayed as a client assertion.
    @Test func `an object has no subject and no nesting`() throws {
        let claims = try #require(try Self.object(in: Self.signed(Example.metadata())).claims())
        #expect(Set(claims.names).isDisjoint(with: ["sub", "request", "request_uri"]))
    }

    @Test func `each object has its own identifier`() throws {
        let metadata = try Example.metadata()
        let identifiers = try (0..<5).map { _ in try Self.object(in: Self.signed(metadata)).claims()?["jti"]?.string }
        #expect(Set(identifiers).count == 5)
    }
}
