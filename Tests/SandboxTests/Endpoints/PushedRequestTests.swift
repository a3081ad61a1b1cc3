import Base
import HTTPWire
import Sandbox
import StrictJSON
import Testing

/// Pushed authorization requests (RFC 9126): who may push them, their content, and the use of their `request_uri`.
@Suite struct PushedRequestTests {
    @Test func `a request is pushed and then named`() async throws {
        let stage = try Stage(requiresPushedRequest: true)
        let answer = try await stage.push()
        #expect(answer.status == 201)
        let body = try JSON(parsing: answer.body)
        #expect(body["expires_in"]?.integer == 60)
        let name = try #require(body["request_uri"]?.string)
        #expect(name.hasPrefix("urn:ietf:params:oauth:request_uri:"))
        let arrival = try await stage.walk.login(Self.named(name))
        #expect(arrival["state"] == "a-state")
        #expect(arrival["code"] != nil)
        #expect(stage.provider.count(of: .pushedRequest) == 1)
        await stage.end()
    }

    /// RFC 9126 §2.1, §2.3.
    static let refused: [(name: String, changes: [String: String?], code: String)] = [
        ("RFC 9126 §2.1: a request_uri is pushed", ["request_uri": "urn:x"], "invalid_request"),
        ("RFC 9126 §2.1: no redirect_uri", ["redirect_uri": nil], "invalid_request"),
        (
            "RFC 9126 §2.4: a redirect_uri that is not registered", ["redirect_uri": "https://x.example/"],
            "invalid_request"
        ),
        ("RFC 7636 §4.4.1: no code_challenge", ["code_challenge": nil], "invalid_request"),
        ("another client's id", ["client_id": "somebody"], "invalid_request"),
        ("an object that is none", ["request": "a.b.c"], "invalid_request"),
    ]

    @Test(arguments: refused)
    func `a wrong pushed request is refused`(name: String, changes: [String: String?], code: String) async throws {
        let stage = try Stage()
        let answer = try await stage.push(changes)
        #expect(answer.status == 400)
        #expect(try JSON(parsing: answer.body)["error"]?.string == code)
        await stage.end()
    }

    /// RFC 9126 §2: the client authenticates as at the token endpoint.
    @Test func `the client has to show who it is`() async throws {
        let stage = try Stage()
        let answer = try await stage.http.post("/par", form: stage.request(), fields: [stage.basic(secret: "wrong")])
        #expect(answer.status == 401)
        #expect(try JSON(parsing: answer.body)["error"]?.string == "invalid_client")
        await stage.end()
    }

    /// RFC 9126 §2: the audience may be the endpoint, the token endpoint or the issuer.
    @Test(arguments: ["", "/token", "/par"]) func `an assertion may have each audience`(path: String) async throws {
        let stage = try Stage(authentication: .privateKeyJWT)
        let proof = try stage.assertion(["aud": .string(stage.issuer + path)])
        #expect(try await stage.http.post("/par", form: stage.request() + proof).status == 201)
        await stage.end()
    }

    @Test func `an assertion for the endpoint is refused for tokens`() async throws {
        let stage = try Stage(authentication: .privateKeyJWT)
        let proof = try stage.assertion(["aud": .string(stage.issuer + "/par")])
        #expect(try await Tokens(stage, code: "a", extra: proof).error == "invalid_client")
        await stage.end()
    }

    /// RFC 9126 §4: it is valid once, and only for the client that pushed it. A user may reload the page.
    @Test func `a name can be used once`() async throws {
        let stage = try Stage()
        let name = try await Self.pushedName(stage)
        let page = try await stage.walk.open(Self.named(name))
        #expect(page.status == 200)
        #expect(try await stage.walk.open(Self.named(name)).text == page.text)
        #expect(try await stage.walk.open([Parameter("request_uri", name)]).status == 400, "nobody's")
        #expect(try Walk.arrival(try await stage.walk.decide(page))["code"] != nil)
        let again = try await stage.walk.open(Self.named(name))
        #expect(again.status == 400)
        #expect(again.text.contains("invalid_request_uri"))
        await stage.end()
    }

    @Test func `a name is good for a minute`() async throws {
        let stage = try Stage()
        let name = try await Self.pushedName(stage)
        stage.clock.advance(by: .seconds(60))
        #expect(try await stage.walk.open(Self.named(name)).status == 400)
        await stage.end()
    }

    @Test func `a name belongs to one client`() async throws {
        let stage = try Stage()
        try stage.provider.register(
            SandboxClient(
                clientID: "other", secret: Secret("other"), redirectURIs: [Stage.redirectURI],
                authentication: .secretBasic))
        let name = try await Self.pushedName(stage)
        #expect(
            try await stage.walk.open([Parameter("client_id", "other"), Parameter("request_uri", name)]).status == 400)
        #expect(try await stage.walk.open(Self.named(name)).status == 200, "it was not taken")
        await stage.end()
    }

    /// RFC 9101 §5.2: we fetch nothing.
    @Test(arguments: ["https://a.example/r", "urn:ietf:params:oauth:request_uri:x"])
    func `a name that nobody gave is refused`(name: String) async throws {
        let stage = try Stage()
        let page = try await stage.walk.open(stage.request(["request_uri": name]))
        #expect(page.status == 400)
        #expect(page.text.contains("invalid_request_uri"))
        await stage.end()
    }

    /// RFC 9126 §6.
    @Test func `a client that has to push may not send a plain request`() async throws {
        let stage = try Stage(requiresPushedRequest: true)
        #expect(try await stage.walk.open(stage.request()).status == 400)
        await stage.end()
    }

    /// RFC 9126 §3.
    @Test func `a pushed object is accepted`() async throws {
        let stage = try Stage(requiresRequestObject: true, requiresPushedRequest: true)
        let answer = try await stage.http.post(
            "/par", form: RequestObjects.outer(try RequestObjects.object(stage)), fields: [stage.basic()])
        let name = try #require(try JSON(parsing: answer.body)["request_uri"]?.string)
        #expect(try await stage.walk.login(Self.named(name))["state"] == "a-state")
        #expect(try await stage.push().status == 400, "a plain one")
        await stage.end()
    }

    private static func pushedName(_ stage: Stage) async throws -> String {
        try #require(try JSON(parsing: try await stage.push().body)["request_uri"]?.string)
    }

    private static func named(_ name: String) -> [Parameter] {
        [Parameter("client_id", "test app"), Parameter("request_uri", name)]
    }
}
