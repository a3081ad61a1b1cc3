import Base
import JOSE
import OpenIDConnect
import StrictJSON
import Testing

/// The pushed authorization request (RFC 9126), byte for byte, for each way to authenticate the client.
@Suite struct PushedRequestTests {
    static let base =
        "client_id=app&response_type=code&scope=openid+profile"
        + "&redirect_uri=https%3A%2F%2Flogin.example%2Fcallback%2Fid&state=st&nonce=bm9uY2U"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"

    func request(
        _ authentication: ClientAuthentication, _ style: Client.RequestStyle = .par, clientID: String = "app",
        claims: JSON.Object? = nil, additional: [Parameter] = []
    ) throws -> AuthorizationRequest {
        let keys = try TestKeys.shared()
        let client = Client(
            clientID: clientID, authentication: authentication, redirectURI: Example.redirectURI, requestStyle: style,
            requestObject: try JWTSigner(key: keys.p256, algorithm: .es256, keyID: "p256"))
        return AuthorizationRequest(
            client: client, challenge: Example.challenge, scope: ["openid", "profile"], claims: claims,
            additional: additional)
    }

    func push(
        _ authentication: ClientAuthentication, _ style: Client.RequestStyle = .par
    ) throws -> ProviderRequest {
        try #require(try self.request(authentication, style).push(Example.metadata()))
    }

    func body(_ request: ProviderRequest) -> String { String(decoding: request.body, as: UTF8.self) }

    @Test func `a pushed request posts its parameters as a form`() throws {
        let request = try self.push(.secretBasic(Secret("s3cret"), .formEncoded))
        #expect(request.purpose == .pushedAuthorization)
        #expect(request.method == .post)
        #expect(request.url == "https://id.example/par")
        #expect(request.fields.map(\.name) == ["Accept", "Content-Type", "Authorization"])
        #expect(
            request.fields.map(\.value) == [
                "application/json", "application/x-www-form-urlencoded", "Basic YXBwOnMzY3JldA==",
            ])
        #expect(self.body(request) == Self.base)
    }

    /// RFC 9126 §2: as at the token endpoint. The `client_id` appears once.
    @Test func `the secret is in the form`() throws {
        #expect(try self.body(self.push(.secretPost(Secret("s3 cr&t")))) == Self.base + "&client_secret=s3+cr%26t")
    }

    /// RFC 8705 §2.
    @Test(arguments: [true, false]) func `with mutual TLS there is no secret`(_ selfSigned: Bool) throws {
        #expect(try self.body(self.push(.mutualTLS(selfSigned: selfSigned))) == Self.base)
    }

    /// RFC 9126 §2: `tokenEndpoint` as audience is still the token endpoint; `endpoint` is the one that is called.
    @Test(
        arguments: [
            (.issuer, "https://id.example"), (.tokenEndpoint, "https://id.example/token"),
            (.endpoint, "https://id.example/par"),
        ] as [(ClientAuthentication.AssertionAudience, String)])
    func `an assertion has the configured audience`(
        _ audience: ClientAuthentication.AssertionAudience, _ expected: String
    ) throws {
        let keys = try TestKeys.shared()
        let signer = try JWTSigner(key: keys.rsa, algorithm: .ps256, keyID: "rsa")
        let start =
            Self.base + "&client_assertion_type="
            + "urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer&client_assertion="
        let body = try self.body(self.push(.privateKeyJWT(signer, audience: audience)))
        #expect(body.hasPrefix(start))
        let assertion = try CompactJWS(parsing: String(body.dropFirst(start.count)))
            .verified(with: keys.published, allowing: [.ps256])
        #expect(assertion.claims()?["aud"] == .string(expected))
        #expect(assertion.claims()?["sub"] == "app")
    }

    /// RFC 9126 §3: beside a request object only the client's identity is sent.
    @Test func `beside a request object only the client's identity is sent`() throws {
        let keys = try TestKeys.shared()
        let signer = try JWTSigner(key: keys.rsa, algorithm: .rs256, keyID: "rsa")
        let names: [(ClientAuthentication, [String])] = [
            (.secretBasic(Secret("s"), .raw), ["client_id", "request"]),
            (.secretPost(Secret("s")), ["client_id", "request", "client_secret"]),
            (.mutualTLS(selfSigned: true), ["client_id", "request"]),
            (
                .privateKeyJWT(signer, audience: .issuer),
                ["client_id", "request", "client_assertion_type", "client_assertion"]
            ),
        ]
        for (authentication, expected) in names {
            let body = try self.body(self.push(authentication, .parAndJAR))
            #expect(body.split(separator: "&").map { $0.prefix { $0 != "=" } } == expected.map { $0[...] })
        }
    }

    @Test func `single claims are sent as text`() throws {
        let request = try self.request(.secretPost(Secret("s")), claims: ["userinfo": ["name": .null]])
        let body = try self.body(#require(try request.push(Example.metadata())))
        let expected = Self.base + "&claims=%7B%22userinfo%22%3A%7B%22name%22%3Anull%7D%7D&client_secret=s"
        #expect(body == expected)
    }

    /// RFC 9126 §4: the browser brings nothing else.
    @Test(
        arguments: [
            ("https://id.example/authorize", "https://id.example/authorize?client_id=app&request_uri="),
            ("https://id.example/authorize?p=1", "https://id.example/authorize?p=1&client_id=app&request_uri="),
        ])
    func `the URL afterwards has only the reference`(_ endpoint: String, _ start: String) throws {
        let metadata = try Example.metadata { $0["authorization_endpoint"] = .string(endpoint) }
        let pushed = try PushedAuthorization.validate(
            Example.json(["request_uri": "urn:ietf:params:oauth:request_uri:a&b=c", "expires_in": 60], status: 201))
        let url = try self.request(.secretPost(Secret("s"))).url(pushed: pushed, metadata: metadata)
        #expect(url == start + "urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3Aa%26b%3Dc")
    }

    @Test func `nothing is pushed without an endpoint`() throws {
        let request = try self.request(.secretPost(Secret("s")))
        let metadata = try Example.metadata { $0["pushed_authorization_request_endpoint"] = nil }
        #expect(throws: AuthorizationRequestError.pushEndpointMissing) { try request.push(metadata) }
    }

    @Test func `an unencoded client ID cannot have a colon`() throws {
        let request = try self.request(.secretBasic(Secret("s"), .raw), clientID: "urn:my:app")
        #expect(throws: AuthorizationRequestError.colonInClientID) { try request.push(Example.metadata()) }
    }

    /// A form passes the same checks as a URL.
    @Test(arguments: ["client_id", "request_uri", "client_secret", "client_assertion", "request"])
    func `our own parameters are not set by others`(_ name: String) throws {
        let request = try self.request(.secretBasic(Secret("s"), .raw), additional: [Parameter(name, "x")])
        #expect(throws: AuthorizationRequestError.parameterNotAllowed) { try request.push(Example.metadata()) }
    }

    /// Whether a request needs a signature. Callers sign elsewhere than on a queue that serves connections.
    @Test func `some requests need a signature`() throws {
        let signer = try JWTSigner(key: TestKeys.shared().p256, algorithm: .es256, keyID: nil)
        let assertion = ClientAuthentication.privateKeyJWT(signer, audience: .issuer)
        #expect(Example.client(requestStyle: .jar).signsRequests)
        #expect(Example.client(requestStyle: .parAndJAR).signsRequests)
        #expect(Example.client(assertion, requestStyle: .par).signsRequests)
        #expect(!Example.client(assertion, requestStyle: .plain).signsRequests)
        #expect(!Example.client(requestStyle: .par).signsRequests)
    }
}
