import Base
import HTTPWire
import Sandbox
import Testing

/// Token requests that are refused (RFC 6749 §5.2), and their consequences.
@Suite struct TokenRefusalTests {
    typealias Changes = [String: String?]

    static let refused: [(name: String, changes: Changes, error: String)] = [
        ("RFC 6749 §4.1.3: no grant_type", ["grant_type": nil], "invalid_request"),
        ("RFC 6749 §5.2: another grant_type", ["grant_type": "client_credentials"], "unsupported_grant_type"),
        ("RFC 6749 §4.1.3: no code", ["code": nil], "invalid_request"),
        ("RFC 6749 §4.1.3: a code nobody issued", ["code": "guessed"], "invalid_grant"),
        ("RFC 6749 §4.1.3: no redirect_uri", ["redirect_uri": nil], "invalid_grant"),
        ("RFC 6749 §4.1.3: another redirect_uri", ["redirect_uri": "http://127.0.0.1:1/"], "invalid_grant"),
        ("RFC 7636 §4.6: no verifier", ["code_verifier": nil], "invalid_grant"),
        ("RFC 7636 §4.6: another verifier", ["code_verifier": String(repeating: "v", count: 43)], "invalid_grant"),
        ("RFC 7636 §4.1: a verifier that is too short", ["code_verifier": "short"], "invalid_grant"),
    ]

    @Test(arguments: refused)
    func `a wrong token request is refused`(name: String, changes: Changes, error: String) async throws {
        let stage = try Stage()
        let code = try #require(try await stage.walk.login(stage.request())["code"])
        let tokens = try await Tokens(stage, code: code, changes: changes, fields: [stage.basic()])
        #expect(tokens.answer.status == 400)
        #expect(tokens.error == error)
        #expect(tokens.answer["cache-control"] == "no-store")
        await stage.end()
    }

    /// A wrong verifier means that someone tries a stolen code. There is no second attempt.
    @Test func `a code that was tried is used up`() async throws {
        let stage = try Stage()
        let code = try #require(try await stage.walk.login(stage.request())["code"])
        let wrong: Changes = ["code_verifier": String(repeating: "v", count: 43)]
        #expect(try await Tokens(stage, code: code, changes: wrong, fields: [stage.basic()]).error == "invalid_grant")
        #expect(try await Tokens(stage, code: code, fields: [stage.basic()]).error == "invalid_grant")
        await stage.end()
    }

    /// RFC 6749 §4.1.2.
    @Test func `a code that comes twice revokes the token`() async throws {
        let stage = try Stage()
        let code = try #require(try await stage.walk.login(stage.request())["code"])
        let first = try await Tokens(stage, code: code, fields: [stage.basic()])
        #expect(try await first.userinfo().status == 200)
        #expect(try await Tokens(stage, code: code, fields: [stage.basic()]).error == "invalid_grant")
        #expect(try await first.userinfo().status == 401)
        await stage.end()
    }

    /// Some brokers are patient with a client that has lost their response.
    @Test func `a patient broker accepts a code again`() async throws {
        let stage = try Stage()
        let code = try #require(try await stage.walk.login(stage.request(), fault: "code-again")["code"])
        let first = try await Tokens(stage, code: code, fields: [stage.basic()])
        stage.clock.advance(by: .seconds(15))
        let second = try await Tokens(stage, code: code, fields: [stage.basic()])
        for tokens in [first, second] { #expect(try await tokens.userinfo().status == 200) }
        #expect(stage.provider.requestLog.tokenRequests == [code: 2])
        #expect(stage.provider.requestLog.tokenGaps == [code: .seconds(15)])
        stage.clock.advance(by: .seconds(45))
        #expect(try await Tokens(stage, code: code, fields: [stage.basic()]).error == "invalid_grant", "too old")
        await stage.end()
    }

    @Test func `a code that is too old is refused`() async throws {
        let stage = try Stage()
        let code = try #require(try await stage.walk.login(stage.request())["code"])
        stage.clock.advance(by: .seconds(60))
        #expect(try await Tokens(stage, code: code, fields: [stage.basic()]).error == "invalid_grant")
        await stage.end()
    }

    @Test func `another client's code is not used up by trying`() async throws {
        let stage = try Stage()
        try stage.provider.register(
            SandboxClient(
                clientID: "other", secret: Secret("s"), redirectURIs: ["https://other.example/cb"],
                authentication: .secretPost))
        let code = try #require(try await stage.walk.login(stage.request())["code"])
        let proof = [Parameter("client_id", "other"), Parameter("client_secret", "s")]
        #expect(try await Tokens(stage, code: code, extra: proof).error == "invalid_grant")
        #expect(try await Tokens(stage, code: code, fields: [stage.basic()]).error == nil)
        await stage.end()
    }

    @Test func `a repeated parameter is refused`() async throws {
        let stage = try Stage()
        let tokens = try await Tokens(
            stage, code: "a", fields: [stage.basic()], extra: [Parameter("code_verifier", Stage.verifier)])
        #expect(tokens.error == "invalid_request")
        await stage.end()
    }

    @Test func `a body that is no form is refused`() async throws {
        let stage = try Stage()
        let head = "POST /token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
        let answer = try await stage.http.send(head + "Content-Length: 2\r\n\r\n{}")
        #expect(answer.status == 400)
        await stage.end()
    }

    @Test(arguments: ["/token", "/decision"]) func `there are no tokens by GET`(path: String) async throws {
        let stage = try Stage()
        let answer = try await stage.http.get(path)
        #expect(answer.status == 405)
        #expect(answer["allow"] == "POST")
        await stage.end()
    }

    // MARK: - Userinfo (RFC 6750 §3.1)

    @Test(arguments: [[], ["Authorization: Bearer nobodys"], ["Authorization: Basic bm9ib2R5Og=="]])
    func `userinfo wants a token`(fields: [String]) async throws {
        let stage = try Stage()
        let answer = try await stage.http.get("/userinfo", fields: fields)
        #expect(answer.status == 401)
        #expect(answer["www-authenticate"]?.hasPrefix("Bearer ") == true)
        await stage.end()
    }

    @Test func `a token that is too old is refused`() async throws {
        let stage = try Stage()
        let code = try #require(try await stage.walk.login(stage.request())["code"])
        let tokens = try await Tokens(stage, code: code, fields: [stage.basic()])
        stage.clock.advance(by: .seconds(300))
        #expect(try await tokens.userinfo().status == 401)
        await stage.end()
    }

    // MARK: - Pages

    @Test func `a form can be sent once`() async throws {
        let stage = try Stage()
        let page = try await stage.walk.open(stage.request())
        #expect(try await stage.walk.decide(page).status == 303)
        #expect(try await stage.walk.decide(page).status == 400)
        await stage.end()
    }

    @Test func `a page that is too old is refused`() async throws {
        let stage = try Stage()
        let page = try await stage.walk.open(stage.request())
        stage.clock.advance(by: .seconds(900))
        #expect(try await stage.walk.decide(page).status == 400)
        await stage.end()
    }

    @Test(arguments: [("approve", "nobody", ""), ("approve", "freja", "no-such-fault"), ("perhaps", "freja", "")])
    func `a form that is not ours is refused`(decision: String, person: String, fault: String) async throws {
        let stage = try Stage()
        let page = try await stage.walk.open(stage.request())
        #expect(try await stage.walk.decide(page, decision, person: person, fault: fault).status == 400)
        // It did not count as a decision.
        #expect(try await stage.walk.decide(page).status == 303)
        await stage.end()
    }
}
