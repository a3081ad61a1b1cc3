import EndToEndSupport
import Sandbox
import SwitchbackClient
import TestSupport
import Testing

/// Everything that can go wrong at each system, by the names of the sandbox's fault menu.
@Suite struct SystemFaultTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let fault: String
        /// Nil means that the login completes.
        let reason: String?
        var button = "approve"
        /// The flows where the fault can happen. Nil means all flows whose system has it in the menu.
        var flows: [String]?

        var testDescription: String { self.fault }

        func concerns(_ flow: SystemFlow) -> Bool {
            guard let flows = self.flows else {
                return SandboxFault.named(self.fault)?.systems.contains(flow.system) ?? false
            }
            return flows.contains(flow.name)
        }
    }

    private static let withOrders = [
        "signaturgruppen ciba", "idura bankid launch links", "idura bankid headless",
    ]
    private static let browsers = [
        "oidc", "signaturgruppen", "idura mitid", "idura mitid by a link", "idura mitid by a scheme", "idura bankid",
        "vipps app_to_app",
        "vipps app_to_app_v2",
    ]

    static let rows: [Row] = [
        // This row comes first because keys are not fetched again at once.
        Row(fault: "key-rotation", reason: nil), Row(fault: "cancel", reason: "user_cancelled"),
        Row(fault: "expired-order", reason: "timeout", flows: withOrders),
        Row(fault: "dead-token-endpoint", reason: "broker_unavailable", flows: browsers),
        Row(fault: "oidcc-client-test-invalid-sig-rs256", reason: "invalid_token"),
        // The page that sends a response twice cannot open a scheme.
        Row(
            fault: "duplicate-callback", reason: nil,
            flows: browsers.filter { $0 != "idura mitid by a scheme" }),
        Row(fault: "error-before-state", reason: "user_cancelled", flows: browsers),
        Row(fault: "error-after-state", reason: "user_cancelled", flows: browsers),
        Row(
            fault: "error-after-second-question-mark", reason: "broker_error",
            flows: ["vipps app_to_app", "vipps app_to_app_v2"]),
        Row(
            fault: "session-reused", reason: nil,
            flows: ["signaturgruppen", "idura mitid", "idura bankid launch links", "vipps app_to_app"]),
        Row(fault: "slow-down", reason: nil, flows: ["signaturgruppen ciba", "idura bankid headless"]),
        Row(fault: "complete-400", reason: "broker_error", flows: ["idura bankid launch links"]),
        Row(fault: "complete-too-early", reason: nil, flows: ["idura bankid launch links"]),
        Row(fault: "poll-error-bare", reason: "user_cancelled", flows: ["idura bankid launch links"]),
        Row(fault: "poll-error-quoted", reason: "user_cancelled", flows: ["idura bankid launch links"]),
        Row(fault: "poll-target-is-final", reason: nil, flows: ["idura bankid launch links"]),
        // This row is last because it advances the server's clock by ten minutes.
        Row(fault: "never-returns", reason: "timeout"),
    ]

    /// Sources: A35, E9.
    @Test(arguments: TestTier.few(SystemFlow.all, oneOf: 3))
    func `each fault ends as it should`(_ flow: SystemFlow) async throws {
        let server = try await flow.start()
        for row in Self.rows where row.concerns(flow) {
            do {
                try await self.play(row, flow, at: server)
            } catch {
                Issue.record("\(row.fault): \(error) \(server.log.text.suffix(400))")
            }
            try server.sandbox.setFault(nil, for: flow.variant.name)
        }
        await server.stop()
    }

    private func play(_ row: Row, _ flow: SystemFlow, at server: RunningServer) async throws {
        try server.sandbox.setFault(row.fault, for: flow.variant.name)
        var phone = ScriptedPhone(server.url)
        defer { phone.stop() }
        phone.start(flow.variant.name)
        guard let first = try await phone.next() else { throw TestClient.Failure(description: "nothing to do") }
        try await phone.perform(first)
        try await phone.press(row.button, fault: row.fault, person: flow.person)
        // DigiD's app names no login in its errors, so nothing ends until the user cancels in our app too.
        let cancelsInApp = flow.system == .digid && row.fault == "cancel"
        if cancelsInApp { phone.cancel() }
        if row.fault == "never-returns" {
            server.clock.advance(by: .seconds(601))
            phone.background()
            phone.foreground()
        }
        while let next = try await phone.next() {
            switch next.kind {
            // The session has ended at the app's link, and its proof is on the way.
            case .showBrowser where phone.browser == nil: break
            case .showBrowser, .enterCode: try await phone.goAlong(with: next)
            default: break
            }
        }
        let reason = cancelsInApp ? "app_cancelled" : row.reason
        #expect(phone.login?.reason?.code.code == reason, "\(row.fault) \(server.log.text.suffix(600))")
        #expect((phone.login?.status == .completed) == (row.reason == nil), "\(row.fault)")
    }

    /// The table has every fault of the menu that the conformance table does not play.
    static let names = Set(Self.rows.map(\.fault) + ["slow-token-endpoint"])
        // `LaunchLinkLoginTests` plays these.
        .union(["launch-status-500", "launch-without-links", "launch-without-poll-url", "launch-at-a-stranger"])
}
