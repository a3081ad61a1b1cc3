/// The signed authorization request (RFC 9101), as the provider reads it.
import JOSE
import OpenIDConnect
import Testing

@Suite struct RequestObjectTests {
    static func signed(_ metadata: ProviderMetadata) throws -> String {
        let signer = try JWTSigner(key: TestKeys.shared().p256, algorithm: .es256, keyID: "p256")
        let request = AuthorizationRequest(
            client: Example.client(responseMode: .formPost, requestObject: signer), challenge: Example.challenge,
            scope: ["openid", "profile"], prompt: "login", maxAge: 30, acrValues: ["urn:a"],
            additional: [("idp_params", "{\"a\":1}")])
        return try request.url(metadata: metadata, now: Example.now)
    }

    static func object(in url: String) throws -> VerifiedJWS {
        let token = try #require(url.split(separator: "&request=").last)
        return try CompactJWS(parsing: String(token)).verified(
            with: TestKeys.shared().published, allowing: [.es256])
    }

    /// Core 6.1: `response_type` and `scope` stay outside too, and `redirect_uri` for those who look for it there
    /// (RFC 9101 §5 permits it); all else only inside.
    @Test func outsideStandsOnlyWhatMust() throws {
        let url = try Self.signed(Example.metadata())
        let start =
            "https://id.example/authorize?client_id=app&response_type=code&scope=openid%20profile"
            + "&redirect_uri=https%3A%2F%2Flogin.example%2Fcallback%2Fid&request="
        #expect(url.hasPrefix(start))
        #expect(!url.dropFirst(start.count).contains("&"))
    }

    @Test func theClaims() throws {
        let object = try Self.object(in: Self.signed(Example.metadata()))
        #expect(object.header.type == "oauth-authz-req+jwt")
        #expect(object.header.keyID == "p256")
        var claims = try object.claims()
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
                "idp_params": "{\"a\":1}",
            ])
    }

    /// RFC 9101 §10.8: with `sub` it could be replayed as a client assertion.
    @Test func noSubjectAndNoNesting() throws {
        let claims = try Self.object(in: Self.signed(Example.metadata())).claims()
        #expect(Set(claims.names).isDisjoint(with: ["sub", "request", "request_uri"]))
    }

    @Test func eachHasItsOwnIdentifier() throws {
        let metadata = try Example.metadata()
        let identifiers = try (0..<5).map { _ in try Self.object(in: Self.signed(metadata)).claims()["jti"]?.string }
        #expect(Set(identifiers).count == 5)
    }
}
