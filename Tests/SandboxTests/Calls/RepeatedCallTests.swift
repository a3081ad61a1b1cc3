import Base
import Testing

@testable import Sandbox

/// What a copied command says about its repeat, and which call a failed check belongs to.
@Suite struct RepeatedCallTests {
    private static func call(
        _ method: String, _ path: String, _ status: Int, _ body: String = "", to lane: CallLane = .broker
    ) -> RecordedCall {
        var call = RecordedCall(
            number: 1, at: Timestamp(milliseconds: 0), from: .switchback, to: lane, host: "localhost", method: method,
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
        (call("GET", "/bankid/?order=a", 200), 400),
        (call("POST", "/bankid/", 200), 400),
        (call("GET", "/authorize?request_uri=urn", 200), 400),
        (call("GET", "/authorize?client_id=a", 200), nil),
        (call("POST", "/api/ciba/broker-oidc/init-auth", 200), 400),
        (call("GET", "/ciba/authenticate?token=a", 200), 400),
        (call("POST", "/ciba/authenticate", 303), 400),
        (call("GET", "/digid-app?SAMLRequest=a", 200), 400),
        (call("POST", "/digid-app", 303), 400),
        (call("POST", "/oauth/custom-registration/digid/complete", 200), 400),
        (call("POST", "/oauth/custom-registration/digid/init", 200), nil),
        (call("GET", "/jwks", 200), nil),
    ]

    @Test(arguments: repeats)
    func `a call whose repeat has another status says so`(_ row: (call: RecordedCall, status: Int?)) {
        #expect(CallRepeat(of: row.call, among: [row.call])?.status == row.status)
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
