import Base
import HTTPWire
import Sandbox
import Testing

/// Authorization requests that are refused. The client is told if it can be trusted, and otherwise only the user.
@Suite struct AuthorizeRefusalTests {
    typealias Changes = [String: String?]

    /// RFC 6749 §4.1.2.1: never a redirect.
    static let toThePerson: [(name: String, changes: Changes)] = [
        ("RFC 6749 §4.1.2.1: unknown client", ["client_id": "nobody"]),
        ("RFC 6749 §4.1.2.1: no client", ["client_id": nil]),
        ("RFC 6749 §3.1.2.4: unregistered redirect_uri", ["redirect_uri": "http://127.0.0.1:1/callback/other"]),
        ("RFC 9700 §4.1.3: one character more", ["redirect_uri": Stage.redirectURI + "/"]),
        ("RFC 9700 §4.1.3: another query", ["redirect_uri": "http://127.0.0.1:1/other?tenant=a+b"]),
        ("RFC 9700 §4.1.3: another case", ["redirect_uri": "HTTP://127.0.0.1:1/callback/sandbox"]),
        ("Core §3.1.2.1: no redirect_uri", ["redirect_uri": nil]),
        ("Core §3.1.2.1: empty redirect_uri", ["redirect_uri": ""]),
        ("RFC 9101 §6.2: a request object that is none", ["request": "not.a.jwt"]),
    ]

    @Test(arguments: toThePerson)
    func `an untrusted request is told to the user`(name: String, changes: Changes) async throws {
        let stage = try Stage()
        let answer = try await stage.walk.open(stage.request(changes))
        #expect(answer.status == 400)
        #expect(answer["location"] == nil)
        #expect(HTMLForm.forms(in: answer.text).isEmpty)
        await stage.end()
    }

    static let toTheClient: [(name: String, changes: Changes, error: String)] = [
        ("RFC 6749 §4.1.1: no response_type", ["response_type": nil], "invalid_request"),
        ("RFC 6749 §3.1.1: implicit", ["response_type": "id_token"], "unsupported_response_type"),
        (
            "OAuth 2.0 Multiple Response Types §5: hybrid", ["response_type": "code id_token"],
            "unsupported_response_type"
        ),
        ("OAuth 2.0 Multiple Response Types §2.1: fragment", ["response_mode": "fragment"], "invalid_request"),
        ("Core §3.1.2.1: no scope", ["scope": nil], "invalid_scope"),
        ("Core §3.1.2.1: scope without openid", ["scope": "profile"], "invalid_scope"),
        ("RFC 7636 §4.4.1: no code_challenge", ["code_challenge": nil], "invalid_request"),
        ("RFC 7636 §4.2: a challenge that is no digest", ["code_challenge": "short"], "invalid_request"),
        ("RFC 7636 §4.3: no method, which means plain", ["code_challenge_method": nil], "invalid_request"),
        ("RFC 7636 §4.3: plain", ["code_challenge_method": "plain"], "invalid_request"),
        ("Core §3.1.2.1: max_age that is no number", ["max_age": "soon"], "invalid_request"),
        ("Core §3.1.2.1: negative max_age", ["max_age": "-1"], "invalid_request"),
        ("Core §3.1.2.1: max_age beyond all numbers", ["max_age": "99999999999999999999"], "invalid_request"),
        ("Core §3.1.2.1: prompt none with login", ["prompt": "none login"], "invalid_request"),
        ("Core §3.1.2.6: prompt none", ["prompt": "none"], "login_required"),
        ("Core §7.2.1: registration", ["registration": "{}"], "registration_not_supported"),
    ]

    @Test(arguments: toTheClient)
    func `a wrong request is told to the client`(name: String, changes: Changes, error: String) async throws {
        let stage = try Stage()
        let arrival = try Walk.arrival(try await stage.walk.open(stage.request(changes)))
        #expect(arrival.response.status == 303)
        #expect(arrival.uri == Stage.redirectURI)
        #expect(arrival["error"] == error)
        #expect(arrival["state"] == "a-state")
        #expect(arrival["iss"] == stage.issuer)
        #expect(arrival["code"] == nil)
        await stage.end()
    }

    /// `oidcc-client-test-form-post-error`: the error is sent like any other response.
    @Test func `an error is sent by form post`() async throws {
        let stage = try Stage()
        let changes: Changes = ["response_mode": "form_post", "prompt": "none", "max_age": "0"]
        let arrival = try Walk.arrival(try await stage.walk.open(stage.request(changes)))
        #expect(arrival.response.status == 200)
        #expect(arrival["error"] == "login_required")
        await stage.end()
    }

    @Test(arguments: ["state", "nonce", "scope", "code_challenge", "response_type"])
    func `a repeated parameter is told to the client`(name: String) async throws {
        let stage = try Stage()
        let arrival = try Walk.arrival(try await stage.walk.open(stage.request() + [Parameter(name, "again")]))
        #expect(arrival["error"] == "invalid_request")
        #expect(arrival["error_description"] == "\(name) is repeated")
        await stage.end()
    }

    @Test(arguments: ["client_id", "redirect_uri", "request"])
    func `a repeated parameter of trust is told to the user`(name: String) async throws {
        let stage = try Stage()
        let again = stage.request().first { $0.name == name }?.value ?? "a.b.c"
        let answer = try await stage.walk.open(stage.request() + [Parameter(name, again), Parameter(name, again)])
        #expect(answer.status == 400)
        await stage.end()
    }

    /// Parameters of a valid request that change nothing.
    static let harmless: [Changes] = [
        ["state": nil], ["nonce": nil], ["prompt": "login"], ["prompt": "login consent"], ["max_age": "0"],
        ["ui_locales": "da en"], ["acr_values": "a b"], ["login_hint": "aino"], ["scope": "openid unheard-of"],
        ["response_mode": "query"], ["unheard_of": "yes"], ["display": "touch"],
    ]

    @Test(arguments: harmless) func `a harmless request is not refused`(changes: Changes) async throws {
        let stage = try Stage()
        let arrival = try await stage.walk.login(stage.request(changes))
        #expect(arrival["code"] != nil)
        #expect(arrival.values("state") == (changes.keys.contains("state") ? [] : ["a-state"]))
        await stage.end()
    }
}
