import HTTPWire
import Logins
import Testing

@testable import LoginAPI

/// Tests problems: RFC 9457, a closed list, and nothing that a caller sent.
@Suite struct ProblemTests {
    @Test(arguments: Problem.Code.allCases) func `every code says what to do`(_ code: Problem.Code) {
        let response = Problem(code).response(requestID: "r1")
        #expect(response.status == code.status)
        #expect((400...599).contains(code.status.rawValue))
        #expect(response.fields[.contentType] == "application/problem+json")
        #expect(response.fields[.cacheControl] == "no-store")
        #expect(response.json["code"]?.string == code.rawValue)
        #expect(response.json["status"]?.integer == code.status.rawValue)
        #expect(response.json["title"]?.string == code.status.reason)
        #expect(response.json["request_id"]?.string == "r1")
        #expect(code.detail.hasSuffix("."))
        #expect((response.fields[.wwwAuthenticate] != nil) == (code.status == .unauthorized))
    }

    @Test(arguments: Problem.Code.allCases) func `what may succeed later says when`(_ code: Problem.Code) {
        let isLater = [.tooManyRequests, .badGateway, .serviceUnavailable].contains(code.status)
        #expect((Problem(code).response(requestID: "r").fields[.retryAfter] != nil) == isLater)
    }

    @Test(arguments: [
        (Duration.milliseconds(1), "1"), (.milliseconds(1000), "1"), (.milliseconds(1001), "2"), (.zero, "1"),
        (.seconds(90), "90"),
    ]) func `the time in Retry-After is rounded up`(_ wait: Duration, _ seconds: String) {
        let response = Problem(.pollingTooFast, retryAfter: wait).response(requestID: "r")
        #expect(response.fields[.retryAfter] == seconds)
    }

    @Test(arguments: [
        ("platform", "platform"), ("parameters.login_hint", "parameters.login_hint"), ("a b", nil), ("<script>", nil),
        ("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", nil), ("æ", nil), ("\"", nil),
    ]) func `only a member that looks like a name is repeated`(_ member: String, _ shown: String?) {
        #expect(Problem(.unknownMember, member: member).response(requestID: "r").json["member"]?.string == shown)
    }

    static let refusals: [(LoginFlowError, String)] = [
        (.unknownProvider, "422 unknown_provider provider"), (.unknownApp, "422 unknown_app app"),
        (.providerOff, "409 provider_off provider"),
        (.parameterNotAllowed("acr_values"), "422 parameter_not_allowed parameters.acr_values"),
        (.platformMissing, "400 missing_member platform"), (.systemMissing, "400 missing_member os"),
        (.platformNotSupported("os"), "422 platform_not_supported os"),
        (.thumbprintMissing, "422 dpop_jkt_required dpop_jkt"),
        (.actionMissing(.openApp), "422 action_required actions"),
        (.differentBody, "422 different_body"), (.unknownLogin, "404 unknown_login"), (.gone, "410 gone"),
        (.notFinal, "409 not_final"), (.notOurs, "422 not_ours url"), (.codeTooEarly, "422 not_ours code"),
        (.tooManyPending, "429 too_many_pending"),
        (.brokerUnreachable, "502 broker_unreachable"), (.storeUnavailable, "503 store_unavailable"),
        (.overloaded, "503 temporarily_unavailable"),
    ]

    @Test(arguments: refusals) func `every refusal has its status and code`(_ refusal: LoginFlowError, _ brief: String)
    {
        #expect(Problem(refusal: refusal).response(requestID: "r").brief == brief)
    }

    @Test func `the allowed methods are listed`() {
        let response = Problem(allowed: [.get, .head]).response(requestID: "r")
        #expect(response.brief == "405 method_not_allowed")
        #expect(response.fields[.allow] == "GET, HEAD")
    }
}
