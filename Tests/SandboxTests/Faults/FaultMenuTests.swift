import Base
import HTTPWire
import Sandbox
import Testing

/// The list of faults: each one is tested, can be chosen, and is used up by one login.
@Suite struct FaultMenuTests {
    private static let missingState =
        "fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-missing-state-fails"

    @Test func `every fault is tested`() {
        let inTables =
            AuthorizationFaultTests.expected.map(\.fault) + SignedResponseTests.expected.map(\.fault)
            + TokenFaultTests.expected.map(\.fault) + TokenFaultTests.expectedOfUserinfo.map(\.fault)
            + IDTokenFaultTests.expected.map(\.fault) + SignedUserinfoTests.expected.map(\.fault)
            + StandingFaultTests.ofPushedRequests.map(\.fault)
        let byName = [
            "code-again", "token-delayed", "token-slow", "token-dead", "par-dead",
            "oidcc-client-test-invalid-sig-rs256",
            "oidcc-client-test-invalid-sig-es256", "oidcc-client-test-invalid-sig-hs256",
            "oidcc-client-test-idtoken-sig-none", "fapi2-security-profile-final-client-test-invalid-alternate-alg",
            "id-token-hs256-with-the-public-key", "id-token-unknown-kid", "oidcc-client-test-kid-absent-single-jwks",
            "oidcc-client-test-kid-absent-multiple-jwks", "id-token-typ-at+jwt", "id-token-not-encrypted",
            "id-token-broken-tag", "oidcc-client-test-signing-key-rotation-just-before-signing",
            "oidcc-client-test-signing-key-rotation", "oidcc-client-test-discovery-issuer-mismatch",
            "oidcc-client-test-discovery-openid-config", "oidcc-client-test-discovery-jwks-uri-keys",
            "jwks-one-bad-key", "jwks-empty", "cancel", "never-returns", "expired-order", "complete-400",
            "complete-too-early", "poll-error-bare", "poll-error-quoted", "poll-target-is-final", "slow-down",
            "session-reused", "launch-status-500", "launch-without-links", "launch-without-poll-url",
            "launch-at-a-stranger", "error-after-second-question-mark", "error-after-state",
        ]
        #expect((inTables + byName + DigiDTests.faults).sorted() == SandboxFault.all.map(\.name).sorted())
    }

    /// What this request has not agreed on: a signed response, encryption, a signed userinfo, an `acr`, a fresh login.
    private static let needing =
        SignedResponseTests.expected.map(\.fault) + SignedUserinfoTests.expected.map(\.fault) + [
            "response-not-signed", "id-token-not-encrypted", "id-token-broken-tag", "userinfo-not-signed",
            "id-token-wrong-acr", "id-token-auth-time-old", "id-token-without-auth-time",
        ]

    /// Faults of logins that are decided in an app, or polled, are not on a browser's page.
    @Test(arguments: SandboxSystem.allCases)
    func `the page has the faults of its system`(_ system: SandboxSystem) async throws {
        let stage = try Stage(system: system)
        let page = try await stage.walk.open(stage.request(["state": "long enough for Vipps"])).text
        let ofOrders: Set = [
            "expired-order", "complete-400", "complete-too-early", "poll-error-bare", "poll-error-quoted",
            "poll-target-is-final", "slow-down",
        ]
        for fault in SandboxFault.all {
            let isThere =
                !Self.needing.contains(fault.name) && fault.systems.contains(system) && !fault.standsBeforeLogins
                && !ofOrders.contains(fault.name)
                && !DigiDTests.faults.contains(fault.name)
            #expect(page.contains("<option value=\"\(fault.name)\">") == isThere, "\(fault.name)")
        }
        await stage.end()
    }

    static let needs: [(fault: String, parameters: [String: String])] = [
        ("response-not-signed", ["response_mode": "query.jwt"]),
        ("jarm-unknown-kid", ["response_mode": "form_post.jwt"]),
        ("id-token-wrong-acr", ["acr_values": "urn:sandbox:acr:high"]),
        ("id-token-auth-time-old", ["prompt": "login"]), ("id-token-without-auth-time", ["max_age": "60"]),
    ]

    /// A fault that would change nothing is not offered.
    @Test(arguments: needs) func `a fault is offered if its need is met`(
        _ row: (fault: String, parameters: [String: String])
    ) async throws {
        let stage = try Stage()
        let page = try await stage.walk.open(stage.request(row.parameters)).text
        #expect(page.contains("<option value=\"\(row.fault)\">"))
        await stage.end()
    }

    @Test func `a fault of another system cannot be set`() throws {
        let stage = try Stage(system: .vipps)
        let failure = OperatorError(
            "there is no fault complete-400 here: use one of SandboxFault.all that this system has")
        #expect(throws: failure) {
            try stage.provider.setFault("complete-400", for: "test app")
        }
    }

    @Test func `a name that no fault has is refused`() throws {
        let stage = try Stage()
        let failure = OperatorError(
            "there is no fault no-such-fault here: use one of SandboxFault.all that this system has")
        #expect(throws: failure) {
            try stage.provider.setFault("no-such-fault", for: "test app")
        }
    }

    @Test func `a fault that was set is for the next login only`() async throws {
        let stage = try Stage()
        try stage.provider.setFault(Self.missingState, for: "somebody else")
        #expect(try await stage.walk.login(stage.request())["state"] != nil)
        try stage.provider.setFault(Self.missingState, for: "test app")
        // There was no approval, so the fault is still set.
        #expect(try await stage.walk.login(stage.request(), "cancel")["state"] != nil)
        #expect(try await stage.walk.login(stage.request())["state"] == nil)
        #expect(try await stage.walk.login(stage.request())["state"] != nil)
        await stage.end()
    }

    @Test func `the fault of the form comes first`() async throws {
        let stage = try Stage()
        try stage.provider.setFault(Self.missingState, for: "test app")
        let arrival = try await stage.walk.login(stage.request(), fault: "error-server-error")
        #expect(arrival["error"] == "server_error")
        #expect(arrival["state"] != nil)
        await stage.end()
    }
}
