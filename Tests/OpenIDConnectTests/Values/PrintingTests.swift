import Base
import OpenIDConnect
import Testing

/// No secret and no personal data is printed, interpolated or dumped.
@Suite struct PrintingTests {
    func texts(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }

    @Test func `requests to providers print no secret`() throws {
        let metadata = try Example.metadata { $0["token_endpoint"] = "https://id.example/token?tenant=hidden" }
        let client = Example.client(.secretBasic(Secret("hidden"), .formEncoded))
        let token = try TokenRequest(code: Secret("hidden"), challenge: Example.challenge, client: client)
            .providerRequest(metadata: metadata, now: Example.now)
        #expect("\(token)" == "token: POST https://id.example/token")
        let userInfo = try UserInfo.request(accessToken: Secret("hidden"), client: client, metadata: metadata).get()
        let request = AuthorizationRequest(
            client: Example.client(.secretPost(Secret("hidden")), requestStyle: .par), challenge: Example.challenge,
            scope: ["openid"])
        let push = try #require(try request.push(metadata))
        #expect("\(push)" == "par: POST https://id.example/par")
        for request in [token, userInfo, push] {
            let texts = self.texts(request)
            #expect(!texts.contains("hidden"))
            #expect(!texts.contains("Authorization"))
            #expect(!texts.contains(Example.verifier))
        }
    }

    @Test func `responses and what is read from them print no secret`() async throws {
        let response = Example.json(["sub": "hidden", "id_token": "hidden", "access_token": "hidden"])
        let tokens = try TokenResponse(
            Array(#"{"id_token":"hidden","access_token":"hidden","token_type":"Bearer"}"#.utf8))
        let userInfo = try await UserInfoCase.judge(response, subject: "hidden").get()
        let idToken = try await IDTokenCase("", nil) { $0.claims["sub"] = "hidden" }.judge().get()
        let pushed = try PushedAuthorization.validate(
            Example.json(["request_uri": "hidden", "expires_in": 60], status: 201))
        for value in [response, tokens, userInfo, idToken, pushed] as [Any] {
            #expect(!self.texts(value).contains("hidden"))
        }
        #expect("\(response)".hasPrefix("200 with"))
    }

    @Test func `what is sent with the browser prints no secret`() throws {
        let challenge = Challenge(state: "hidden", nonce: "hidden", codeVerifier: Secret("hidden"))
        let request = AuthorizationRequest(
            client: Example.client(.secretPost(Secret("hidden"))), challenge: challenge, scope: ["openid"],
            additional: [Parameter("login_hint", "hidden")])
        let rules = IDTokenRules(
            issuer: Example.issuer, clientID: "app", nonce: "hidden", algorithms: [.rs256], now: Example.now)
        let exchange = TokenRequest(code: Secret("hidden"), challenge: challenge, client: Example.client())
        let authorization = try request.authorization(metadata: Example.metadata(), now: Example.now)
        for value in [challenge, request, rules, exchange, authorization] as [Any] {
            #expect(!self.texts(value).contains("hidden"))
        }
    }
}
