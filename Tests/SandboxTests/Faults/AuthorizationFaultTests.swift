import Base
import HTTPWire
import Sandbox
import Testing

/// The faults of the authorization response do what their names say.
@Suite struct AuthorizationFaultTests {
    static let forged = "somebody-else.example"

    struct Expected: Sendable {
        var names = ["code", "state", "iss"]
        var error: String?
        var isStateWrong = false
        var isIssuerWrong = false
    }

    static let expected: [(fault: String, answer: Expected)] = [
        ("error-access-denied", .init(names: ["error", "state", "iss"], error: "access_denied")),
        ("error-server-error", .init(names: ["error", "state", "iss"], error: "server_error")),
        ("error-login-required", .init(names: ["error", "state", "iss"], error: "login_required")),
        (
            "error-with-wrong-state",
            .init(names: ["error", "state", "iss"], error: "access_denied", isStateWrong: true)
        ),
        ("error-without-iss", .init(names: ["error", "state"], error: "access_denied")),
        (
            "fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-state-fails",
            .init(isStateWrong: true)
        ),
        (
            "fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-missing-state-fails",
            .init(names: ["code", "iss"])
        ),
        ("fapi2-security-profile-final-client-test-invalid-authorization-response-iss", .init(isIssuerWrong: true)),
        (
            "fapi2-security-profile-final-client-test-remove-authorization-response-iss",
            .init(names: ["code", "state"])
        ),
        ("missing-code", .init(names: ["state", "iss"])),
        ("repeated-code", .init(names: ["code", "state", "iss", "code"])),
        ("repeated-state", .init(names: ["code", "state", "iss", "state"])),
        ("answered-twice", .init()),
        ("response-not-signed", .init()),
        ("oidcc-client-test", .init()),
    ]

    @Test(arguments: expected, ["query", "form_post"])
    func `each fault does what it says`(row: (fault: String, answer: Expected), mode: String) async throws {
        let stage = try Stage()
        let arrival = try await stage.walk.login(
            stage.request(["response_mode": mode]), fault: row.fault)
        #expect(arrival.uri == Stage.redirectURI)
        #expect(arrival.parameters.map(\.name) == row.answer.names)
        #expect(arrival["error"] == row.answer.error)
        if let state = arrival["state"] {
            #expect((state != "a-state") == row.answer.isStateWrong)
            #expect(state.count == "a-state".count)
        }
        if let issuer = arrival["iss"] { #expect((issuer != stage.issuer) == row.answer.isIssuerWrong) }
        await stage.end()
    }

    @Test(arguments: ["query", "form_post"]) func `the same response comes twice`(mode: String) async throws {
        let stage = try Stage()
        let request = stage.request([
            "response_mode": mode, "redirect_uri": "http://127.0.0.1:1/other?tenant=a%20b",
        ])
        let page = try await stage.walk.decide(
            try await stage.walk.open(request), fault: "answered-twice")
        #expect(page.status == 200)
        let forms = HTMLForm.forms(in: page.text)
        try #require(forms.count == 2)
        #expect(forms[0].fields.map(\.value) == forms[1].fields.map(\.value))
        #expect(forms[0].method == (mode == "query" ? "get" : "post"))
        #expect(forms[0].fields.contains { $0 == Parameter("tenant", "a b") } == (mode == "query"))
        #expect(page["content-security-policy"]?.contains("frame-src http://127.0.0.1:1;") == true)
        await stage.end()
    }
}
