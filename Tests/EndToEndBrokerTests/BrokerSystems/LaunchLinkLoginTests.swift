import EndToEndSupport
import Sandbox
import SwitchbackClient
import TestSupport
import Testing

/// Swedish BankID by launch links (Idura): no browser, and we poll the broker for the result.
@Suite struct LaunchLinkLoginTests {
    static let json = BrokerVariant(kind: "idura", responseMode: "json")
    static let query = BrokerVariant(kind: "idura")

    static func start(_ fault: String? = nil) async throws -> RunningServer {
        let server = try await RunningServer.start(
            [Self.json, Self.query],
            providers:
                ", prompt: login, flow: launch_links, acr_values: [\"urn:grn:authn:se:bankid:same-device\"], "
                + "eid: se_bankid, countries: [SE], assurance: substantial",
            brokers: ", poll_interval: 0", system: .idura)
        for variant in [Self.json, Self.query] { try server.sandbox.setFault(fault, for: variant.name) }
        return server
    }

    /// Creates a login and returns the app target for BankID's app.
    static func begin(
        _ server: RunningServer, _ variant: BrokerVariant = Self.json, platform: NewLogin.Platform = .ios
    ) async throws -> (ScriptedPhone, AppLaunch) {
        var phone = ScriptedPhone(server.url)
        phone.start(variant.name, platform: platform)
        guard let opening = try await phone.next()?.app else {
            throw TestClient.Failure(description: "no open_app: \(String(describing: phone.login))")
        }
        return (phone, opening)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let variant: BrokerVariant
        let platform: NewLogin.Platform
        let hasPollURL: Bool

        var testDescription: String {
            "\(self.variant.responseMode) \(self.platform.rawValue) \(self.hasPollURL ? "pollUrl" : "completeUrl")"
        }
    }

    static let rows: [Row] = [json, query].flatMap { variant in
        [NewLogin.Platform.ios, .android].flatMap { platform in
            [true, false].map { Row(variant: variant, platform: platform, hasPollURL: $0) }
        }
    }

    /// Sources: A12, A13, A18, A25, A26, B3, B7.
    @Test(arguments: rows) func `a login completes by its launch links`(_ row: Row) async throws {
        let server = try await Self.start(row.hasPollURL ? nil : "launch-without-poll-url")
        var (phone, opening) = try await Self.begin(server, row.variant, platform: row.platform)
        #expect(opening.universalLink?.hasPrefix(server.sandbox.issuer) == true)
        #expect(opening.customScheme?.hasPrefix("bankid:///?autostarttoken=") == true)
        #expect(opening.androidPackage == "com.bankid.bus")
        try await phone.perform(.openApp(opening))
        try await phone.approve(person: "elin")
        // Without a poll URL we call the broker when the user returns.
        if !row.hasPollURL { phone.foreground() }
        let login = try await phone.outcome()
        #expect(login.status == .completed, "\(server.log.text.suffix(600))")
        let identity = try #require(login.identity)
        #expect(identity.eid == "se_bankid")
        #expect(identity.country == "SE")
        #expect(identity.assurance == .substantial)
        #expect(identity.acr == "urn:grn:authn:se:bankid:same-device")
        #expect(identity.name?.hasPrefix("Elin") == true)
        #expect(server.sandbox.requestLog.cancellations[row.variant.name] == nil, "nothing to cancel")
        phone.stop()
        await server.stop()
    }

    /// The platform decides what the link returns to.
    /// Sources: A17.
    @Test(arguments: [NewLogin.Platform.ios, .android])
    func `the request names the platform`(_ platform: NewLogin.Platform) async throws {
        let server = try await Self.start()
        let (phone, opening) = try await Self.begin(server, platform: platform)
        let asked = try #require(server.sandbox.requestLog.lastAuthorizationRequest[Self.json.name])
        let values = Dictionary(asked.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(values["response_mode"] == "json")
        #expect(values["login_hint"]?.hasPrefix("appswitch:\(platform.rawValue)") == true)
        let redirect = platform == .android ? "redirect=null" : "redirect=https%3A%2F%2Fapp.example%2Fr%2F"
        #expect(opening.universalLink?.contains(redirect) == true, "\(opening.universalLink ?? "")")
        phone.stop()
        await server.stop()
    }

    /// The app returns before BankID is done: the server calls the broker again, without another request from the app.
    @Test func `a complete URL is called again when it was too early`() async throws {
        let server = try await Self.start("launch-without-poll-url")
        var (phone, opening) = try await Self.begin(server)
        phone.foreground()
        #expect(try await eventually { server.sandbox.count(of: .complete) >= 2 })
        #expect(phone.login?.status == .pending)
        try await phone.perform(.openApp(opening))
        try await phone.approve()
        #expect(try await phone.outcome().status == .completed)
        phone.stop()
        await server.stop()
    }

    /// Without `pollUrl` anyone who opens the app makes the server call `completeUrl`, so a 400 that does not say that the
    /// order is over ends nothing: the server asks again, until the order's time is over.
    @Test func `an unclear refusal ends nothing`() async throws {
        let server = try await Self.start("launch-without-poll-url")
        var (phone, opening) = try await Self.begin(server)
        try await phone.perform(.openApp(opening))
        try await phone.press("approve", fault: "complete-400")
        phone.foreground()
        #expect(try await eventually { server.sandbox.count(of: .complete) >= 3 })
        #expect(phone.login?.status == .pending)
        server.clock.advance(by: .seconds(181))
        phone.foreground()
        #expect(try await phone.outcome().reason?.code.code == "timeout")
        try await Self.cancelled(server)
        phone.stop()
        await server.stop()
    }

    /// The button or the fault, and the result of the login.
    static let ends: [(button: String, fault: String, hasPollURL: Bool, reason: String?, isCancelled: Bool)] = [
        ("cancel", "", true, "user_cancelled", false), ("cancel", "", false, "user_cancelled", false),
        ("time-out", "", true, "timeout", true), ("approve", "complete-400", true, "broker_error", true),
        ("approve", "poll-error-bare", true, "user_cancelled", true),
        ("approve", "poll-error-quoted", true, "user_cancelled", true),
        ("approve", "poll-target-is-final", true, nil, false), ("approve", "complete-too-early", true, nil, false),
        ("approve", "complete-too-early", false, nil, false),
        ("approve", "id-token-wrong-acr", true, "assurance_too_low", false),
        ("approve", "oidcc-client-test-nonce-invalid", true, "invalid_token", false),
    ]

    /// Sources: A24, A27, B9, B10.
    @Test(arguments: ends) func `each login ends as it should`(
        _ row: (button: String, fault: String, hasPollURL: Bool, reason: String?, isCancelled: Bool)
    ) async throws {
        let server = try await Self.start(row.hasPollURL ? nil : "launch-without-poll-url")
        var (phone, opening) = try await Self.begin(server)
        try await phone.perform(.openApp(opening))
        try await phone.press(row.button, fault: row.fault)
        if !row.hasPollURL { phone.foreground() }
        let login = try await phone.outcome()
        #expect(login.reason?.code.code == row.reason, "\(server.log.text.suffix(600))")
        #expect((login.status == .completed) == (row.reason == nil))
        if row.isCancelled { try await Self.cancelled(server) }
        phone.stop()
        await server.stop()
    }

    private static func cancelled(_ server: RunningServer) async throws {
        for _ in 0..<500 where server.sandbox.requestLog.cancellations[Self.json.name] == nil {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(server.sandbox.requestLog.cancellations[Self.json.name] == 1)
    }

    enum Abandoned: CaseIterable, Sendable {
        case cancelled, expired
    }

    /// The broker may block the user's number until we notify it.
    /// Sources: A19.
    @Test(arguments: Abandoned.allCases, [true, false])
    func `the broker is told of an abandoned order`(_ end: Abandoned, _ hasPollURL: Bool) async throws {
        let server = try await Self.start(hasPollURL ? nil : "launch-without-poll-url")
        var (phone, _) = try await Self.begin(server)
        switch end {
        case .cancelled: phone.cancel()
        case .expired: server.clock.advance(by: .seconds(601))
        }
        phone.foreground()
        #expect(try await phone.outcome().status == (end == .cancelled ? .cancelled : .expired))
        try await Self.cancelled(server)
        phone.stop()
        await server.stop()
    }

    /// The server never calls URLs that are not the broker's.
    @Test(arguments: ["launch-at-a-stranger", "launch-without-links", "launch-status-500"])
    func `a response with foreign URLs is not used`(_ fault: String) async throws {
        let server = try await Self.start(fault)
        let app = PhoneApp(server.url)
        let answer = try await app.create(Self.json.name, ["platform": "ios"])
        #expect(answer.status == 502)
        #expect(answer.json?["code"]?.string == "broker_unreachable")
        await server.stop()
    }

    /// Without a platform the server cannot tell which link to make.
    /// Sources: A7, B6.
    @Test(arguments: [(nil, "platform"), ("web", "os")] as [(String?, String)])
    func `the platform must be named`(_ platform: String?, _ member: String) async throws {
        let server = try await Self.start()
        let answer = try await PhoneApp(server.url).create(
            Self.json.name, platform.map { ["platform": .string($0)] } ?? [:])
        #expect(answer.status == 400)
        #expect(answer.json?["member"]?.string == member)
        await server.stop()
    }
}
