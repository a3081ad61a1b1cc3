import Base
import HTTPWire
import Testing

@testable import Sandbox

/// What a copied command says about its repeat, and which call a failed check belongs to.
@Suite struct RepeatedCallTests {
    private static func call(
        _ method: String, _ path: String, _ status: Int, _ body: String = "", to lane: CallLane = .broker,
        from: CallLane = .switchback
    ) -> RecordedCall {
        var call = RecordedCall(
            number: 1, at: Timestamp(milliseconds: 0), from: from, to: lane, host: "localhost", method: method,
            path: path, rule: "", request: RecordedCall.Message(body: body))
        call.status = status
        return call
    }

    static let repeats: [(call: RecordedCall, status: Int?)] = [
        (call("POST", "/v1/logins", 201, to: .switchback), 200),
        (call("POST", "/token", 200, "code=…&grant_type=authorization_code"), 400),
        (call("POST", "/token", 200, "client_assertion=…&code=…"), 401),
        (call("POST", "/token", 200, "auth_req_id=…"), 400),
        (call("POST", "/token", 400, "auth_req_id=…"), nil),
        (call("POST", "/token", 200, "headless_req_id=…"), 400),
        (call("POST", "/bankid/", 200), 400),
        (call("GET", "/authorize?client_id=a", 200), nil),
        (call("POST", "/ciba/authenticate", 303), 400),
        (call("POST", "/digid-app", 303), 400),
        (call("POST", "/oauth/custom-registration/digid/init", 200), nil),
        (call("GET", "/jwks", 200), nil),
    ]

    @Test(arguments: repeats)
    func `a call whose repeat has another status says so`(_ row: (call: RecordedCall, status: Int?)) {
        #expect(CallRepeat(of: row.call, among: [row.call])?.status == row.status)
    }

    /// A page of the broker, and the call that ends it.
    static let pages: [(page: RecordedCall, end: RecordedCall)] = [
        (call("GET", "/authorize?request_uri=urn", 200), call("POST", "/decision", 303)),
        (call("GET", "/ciba/authenticate?token=a", 200), call("POST", "/ciba/authenticate", 303)),
        (call("GET", "/ciba/authenticate?token=a", 200), call("DELETE", "/api/v1/ciba/a", 204)),
        (call("GET", "/bankid/?order=a", 200), decision("approve")),
        (call("GET", "/bankid/?order=a", 200), call("GET", "/bankid/cancel?order=a", 200)),
        (call("POST", "/api/ciba/broker-oidc/init-auth", 200), call("POST", "/ciba/authenticate", 303)),
        (call("GET", "/resume?page=a", 200), call("POST", "/decision", 303)),
        (call("GET", "/digid-app?SAMLRequest=a", 200), resolved),
        (call("GET", "/partner-app?request=a", 200), resolved),
    ]

    /// What decides nothing.
    static let ahead = [
        decision("sign"), decision("approve", fault: "never-returns"), call("POST", "/digid-app", 303),
        call("POST", "/ciba/authenticate", 303, "fault=never-returns&decision=approve"),
        call("POST", "/ciba/authenticate", 200, "decision=approve"),
        call("POST", "/oauth/custom-registration/digid/complete", 200),
    ]

    @Test(arguments: pages)
    func `a page is shown again until its user has decided`(_ row: (page: RecordedCall, end: RecordedCall)) {
        let calls = ([row.page] + Self.ahead + [row.end]).enumerated().map { Self.numbered($0.element, $0.offset) }
        #expect(CallRepeat(of: calls[0], among: calls.dropLast()) == nil)
        #expect(CallRepeat(of: calls[0], among: calls)?.status == 400)
        let others = calls.dropFirst().map { Self.numbered($0, $0.number, of: "b") }
        #expect(CallRepeat(of: calls[0], among: [calls[0]] + others) == nil, "another login's calls say nothing")
    }

    @Test func `what could not be resolved is resolved again`() {
        let calls = [Self.call("POST", "/oauth/custom-registration/digid/complete", 200), Self.resolved]
        #expect(CallRepeat(of: calls[0], among: [calls[0]]) == nil)
        #expect(CallRepeat(of: calls[1], among: [calls[1]])?.status == 400)
    }

    @Test func `a page with a cookie is not shown to a browser without it`() {
        var page = Self.call("GET", "/authorize?request_uri=urn", 200)
        page.response = RecordedCall.Message(fields: [Parameter("Set-Cookie", "page=…")])
        #expect(CallRepeat(of: page, among: [page])?.status == 400)
    }

    /// The calls of a login that the app has acknowledged.
    static let deleted: [(call: RecordedCall, status: Int?)] = [
        (call("POST", "/v1/logins", 201, to: .switchback, from: .app), 410),
        (call("GET", "/v1/logins/a", 200, to: .switchback, from: .app), 410),
        (call("GET", "/v1/logins/a", 304, to: .switchback, from: .app), 410),
        (call("GET", "/v1/logins/a", 410, to: .switchback, from: .app), nil),
        (call("POST", "/v1/logins/a/return", 200, to: .switchback, from: .app), 410),
        (call("POST", "/v1/logins/a/return", 400, to: .switchback, from: .app), nil),
        (call("DELETE", "/v1/logins/a", 204, to: .switchback, from: .app), nil),
        (call("GET", "/r/a", 303, to: .app, from: .browser), 200),
        (call("POST", "/v1/sessions", 200, to: .switchback, from: .app), 410),
        (call("POST", "/v1/sessions", 401, to: .switchback, from: .app), nil),
        (call("GET", "/v1/providers", 200, to: .switchback, from: .app), nil),
        (call("GET", "/jwks", 200), nil),
    ]

    @Test(arguments: deleted)
    func `the calls of a deleted login say that it is gone`(_ row: (call: RecordedCall, status: Int?)) {
        let end = Self.call("DELETE", "/v1/logins/a", 204, to: .switchback, from: .app)
        let calls = [row.call, end].enumerated().map { Self.numbered($0.element, $0.offset) }
        #expect(CallRepeat(of: calls[0], among: calls)?.status == row.status)
        let others = [calls[0], Self.numbered(end, 1, of: "b")]
        #expect(CallRepeat(of: calls[0], among: others)?.status != 410, "another login's end says nothing")
        let ofSession = Self.call("DELETE", "/v1/sessions/a", 204, to: .switchback, from: .app)
        #expect(CallRepeat(of: calls[0], among: [calls[0], Self.numbered(ofSession, 1)])?.status != 410)
    }

    @Test func `a link may open another login of the app`() {
        let end = Self.call("DELETE", "/v1/logins/a", 204, to: .switchback, from: .app)
        let link = Self.numbered(Self.call("GET", "/r/a", 303, to: .app, from: .browser), 0)
        let other = Self.numbered(Self.call("POST", "/v1/logins", 201, to: .switchback, from: .app), 2, of: "b")
        #expect(CallRepeat(of: link, among: [link, Self.numbered(end, 1), other]) == nil)
    }

    /// The calls that follow a poll of BankID's order, and what a repeat of the poll answers.
    static let polls: [(then: [RecordedCall], status: Int?)] = [
        ([], nil),
        ([call("GET", "/bankid/poll?order=a", 202)], nil),
        ([decision("sign")], nil),
        ([decision("approve")], 200),
        ([decision("approve"), call("GET", "/bankid/complete?order=a", 302)], 200),
        ([decision("approve"), call("GET", "/bankid/poll?order=a", 200)], 200),
        ([call("GET", "/bankid/poll?order=a", 202), decision("approve")], 200),
        // A fault of the sandbox: the user approves, and the order stays open or runs out of time.
        ([decision("approve"), call("GET", "/bankid/poll?order=a", 202)], nil),
        ([decision("approve"), call("GET", "/bankid/poll?order=a", 400)], 400),
        ([decision("sign"), decision("approve")], 200),
        ([decision("cancel")], 400),
        ([decision("time-out")], 400),
        ([decision("approve"), call("GET", "/bankid/cancel?order=a", 200)], 200),
        // A fault may make anything of the decision.
        ([decision("approve", fault: "cancel")], nil),
        ([decision("fail")], nil),
        ([decision("approve", fault: "cancel"), call("GET", "/bankid/poll?order=a", 400)], 400),
        ([call("GET", "/bankid/cancel?order=a", 200)], 400),
    ]

    @Test(arguments: polls)
    func `a poll of an open order says what it gets now`(
        _ row: (then: [RecordedCall], status: Int?)
    ) {
        let poll = Self.call("GET", "/bankid/poll?order=a", 202)
        let calls = ([poll] + row.then).enumerated().map { Self.numbered($0.element, $0.offset + 1) }
        #expect(CallRepeat(of: calls[0], among: calls)?.status == row.status)
        let others = calls.dropFirst().map { Self.numbered($0, $0.number, of: "b") }
        #expect(CallRepeat(of: calls[0], among: [calls[0]] + others) == nil, "the calls of other logins say nothing")
    }

    @Test(arguments: [(302, 302), (400, nil)] as [(then: Int, status: Int?)])
    func `a response that was not ready says what it is now`(_ row: (then: Int, status: Int?)) {
        let calls = [400, row.then].enumerated().map {
            Self.numbered(Self.call("GET", "/bankid/complete?order=a", $0.element), $0.offset + 1)
        }
        #expect(CallRepeat(of: calls[0], among: calls)?.status == row.status)
    }

    private static func decision(_ word: String, fault: String = "") -> RecordedCall {
        call("POST", "/bankid/", 200, "autostarttoken=a&person=freja&fault=\(fault)&decision=\(word)")
    }

    private static var resolved: RecordedCall {
        var call = Self.call("POST", "/oauth/custom-registration/digid/complete", 200)
        call.response = RecordedCall.Message(body: "{\"status\":2000,\"oauth_token\":{}}")
        return call
    }

    private static func numbered(_ call: RecordedCall, _ number: Int, of login: String = "a") -> RecordedCall {
        var call = RecordedCall(
            number: number, at: call.at, from: call.from, to: call.to, host: call.host, method: call.method,
            path: call.path, rule: "", request: call.request, response: call.response, status: call.status)
        call.login = login
        return call
    }

    static let refused: [(word: String, path: String?)] = [
        ("id_token_nonce", "/token"), ("token_unreachable", "/token"), ("par_malformed", "/par"),
        ("keys_timed_out", "/jwks"), ("discovery_malformed", "/.well-known/openid-configuration"),
        ("userinfo_subject", "/userinfo"), ("amr", "/token"),
        ("ciba_malformed", "/connect/ciba"), ("ciba_init_auth_malformed", "/api/ciba/broker-oidc/init-auth"),
        ("headless_malformed", "/headless/authorize"), ("launch_links_poll_malformed", "/bankid/poll"),
        ("launch_links_complete_malformed", "/bankid/complete"),
        ("init_transaction", "/oauth/custom-registration/digid/init"),
        ("complete_acr", "/oauth/custom-registration/digid/complete"), ("flow", nil),
    ]

    @Test(arguments: refused)
    func `the call of a failed check is known`(_ row: (word: String, path: String?)) throws {
        let calls = Self.refused.compactMap(\.path).map { Self.call("POST", $0, 200) }
        let check = try #require(FailedCheck(log: ["broker_error=\(row.word)"]))
        #expect(check.call(in: calls, of: "a")?.path == row.path)
    }
}
