import Base
import OpenIDConnect
import StrictJSON
import Testing

/// The URL for the browser, byte for byte.
@Suite struct AuthorizationRequestTests {
    static let base =
        "https://id.example/authorize?client_id=app&response_type=code&scope=openid%20profile"
        + "&redirect_uri=https%3A%2F%2Flogin.example%2Fcallback%2Fid&state=st&nonce=bm9uY2U"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"

    func url(
        _ request: AuthorizationRequest, _ change: (inout JSON.Object) -> Void = { _ in }
    ) throws -> String {
        try request.url(Example.metadata(change))
    }

    /// Sources: E31.
    @Test func `a minimal request has the required parameters`() throws {
        let request = AuthorizationRequest(
            client: Example.client(), challenge: Example.challenge, scope: ["openid", "profile"])
        #expect(try self.url(request) == Self.base)
    }

    @Test func `every option has its parameter`() throws {
        let request = AuthorizationRequest(
            client: Example.client(responseMode: .formPost), challenge: Example.challenge,
            scope: ["openid", "profile"],
            prompt: "login", maxAge: 0, acrValues: ["urn:a", "urn:b"], uiLocales: ["da", "en-GB"],
            additional: [Parameter("login_hint", "appswitch:ios æ&="), Parameter("idp_params", "{\"a\":1}")])
        let options =
            "&response_mode=form_post&prompt=login&max_age=0&acr_values=urn%3Aa%20urn%3Ab&ui_locales=da%20en-GB"
            + "&login_hint=appswitch%3Aios%20%C3%A6%26%3D&idp_params=%7B%22a%22%3A1%7D"
        #expect(try self.url(request) == Self.base + options)
    }

    /// Some providers refuse parameters that they do not know.
    @Test(arguments: [(true, "&ui_locales=da"), (false, "")])
    func `languages are named only where a provider accepts them`(_ names: Bool, _ parameter: String) throws {
        var client = Example.client()
        client.namesLanguages = names
        let request = AuthorizationRequest(
            client: client, challenge: Example.challenge, scope: ["openid", "profile"], uiLocales: ["da"])
        #expect(try self.url(request) == Self.base + parameter)
    }

    /// OAuth 2.0 Multiple Response Types §2.1, JARM 2.3: sent unless it is the default.
    @Test(
        arguments: [
            (.query, ""), (.formPost, "&response_mode=form_post"), (.queryJWT, "&response_mode=query.jwt"),
            (.formPostJWT, "&response_mode=form_post.jwt"),
        ] as [(Client.ResponseMode, String)])
    func `the response mode is sent unless it is the default`(_ mode: Client.ResponseMode, _ parameter: String) throws {
        let request = AuthorizationRequest(
            client: Example.client(responseMode: mode), challenge: Example.challenge, scope: ["openid", "profile"])
        #expect(try self.url(request) == Self.base + parameter)
    }

    /// Core 5.5: the parameter is an object as JSON text.
    @Test func `single claims are sent as JSON`() throws {
        let request = AuthorizationRequest(
            client: Example.client(), challenge: Example.challenge, scope: ["openid", "profile"],
            claims: ["userinfo": ["name": .null], "id_token": ["acr": ["values": ["urn:a"]]]])
        let claims =
            "&claims=%7B%22userinfo%22%3A%7B%22name%22%3Anull%7D%2C%22id_token%22%3A%7B%22acr%22%3A%7B%22values%22%3A"
            + "%5B%22urn%3Aa%22%5D%7D%7D%7D"
        #expect(try self.url(request) == Self.base + claims)
    }

    /// RFC 6749 §3.1.
    @Test(arguments: [
        ("https://id.example/authorize?p=1", "https://id.example/authorize?p=1&client_id="),
        ("https://id.example/authorize?", "https://id.example/authorize?client_id="),
    ])
    func `the query of the endpoint is kept`(_ endpoint: String, _ start: String) throws {
        let request = AuthorizationRequest(client: Example.client(), challenge: Example.challenge, scope: ["openid"])
        let url = try self.url(request) { $0["authorization_endpoint"] = .string(endpoint) }
        #expect(url.hasPrefix(start))
    }

    @Test func `without OpenID there is no ID token`() throws {
        let request = AuthorizationRequest(client: Example.client(), challenge: Example.challenge, scope: ["profile"])
        #expect(throws: AuthorizationRequestError.openIDScopeMissing) { try self.url(request) }
    }

    @Test(arguments: [
        "client_id", "response_type", "scope", "redirect_uri", "state", "nonce", "code_challenge",
        "code_challenge_method", "response_mode", "prompt", "max_age", "acr_values", "ui_locales", "request",
        "request_uri", "claims", "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "client_secret", "client_assertion",
        "client_assertion_type", "",
    ])
    func `our own parameters are not set by others`(_ name: String) throws {
        let request = AuthorizationRequest(
            client: Example.client(), challenge: Example.challenge, scope: ["openid"],
            additional: [Parameter(name, "x")])
        #expect(throws: AuthorizationRequestError.parameterNotAllowed) { try self.url(request) }
    }

    @Test func `no parameter is there twice`() throws {
        let request = AuthorizationRequest(
            client: Example.client(), challenge: Example.challenge, scope: ["openid"],
            additional: [Parameter("login_hint", "a"), Parameter("login_hint", "b")])
        #expect(throws: AuthorizationRequestError.parameterNotAllowed) { try self.url(request) }
    }
}
