import EndToEndSupport
import Sandbox
import StrictJSON
import SwitchbackClient
import TestSupport
import Testing

/// MitID through Signaturgruppen's CIBA with PAR: a browser shows the login, and we poll the broker for the result.
@Suite struct BackchannelLoginTests {
    private static let variant = BrokerVariant(kind: "signaturgruppen", authentication: "private_key_jwt")

    private static func start(_ release: String = "immediate") async throws -> RunningServer {
        try await RunningServer.start(
            [Self.variant],
            providers:
                ", flow: ciba, prompt: login, eid: mitid, countries: [DK], scope: [openid, mitid], idp_values: [mitid], "
                + "reference_text: Log ind, minimum_assurance: substantial",
            release: release, system: .signaturgruppen)
    }

    private static func begin(_ server: RunningServer) async throws -> ScriptedPhone {
        var phone = ScriptedPhone(server.url)
        phone.start(Self.variant.name)
        guard let next = try await phone.next() else { throw TestClient.Failure(description: "nothing to open") }
        try await phone.perform(next)
        return phone
    }

    @Test(arguments: ["immediate", "return_link", "code"])
    func `a login completes under each release policy`(_ release: String) async throws {
        let server = try await Self.start(release)
        var phone = ScriptedPhone(server.url)
        phone.start(Self.variant.name)
        let login = try await phone.logIn()
        #expect(login.status == .completed, "\(server.log.text.suffix(600))")
        #expect(
            login.proof == ["immediate": "none", "return_link": "page_link", "code": "page_code"][release])
        let identity = try #require(login.identity)
        #expect(identity.eid == "mitid")
        #expect(identity.assurance == .substantial)
        #expect(identity.name == "Freja Lindegaard")
        let hint = server.sandbox.requestLog.lastOrderRequest[Self.variant.name]?.first {
            $0.name == "login_hint_token"
        }
        let members = try JSON(parsing: Array(try #require(hint?.value).utf8))
        #expect(members["flow_type"]?.string == "broker_oidc")
        #expect(members["prompt"]?.string == "login")
        #expect(members["idp_values"]?.string == "mitid")
        #expect(members["idp_params"]?.string?.contains("app_switch_os") == true)
        phone.stop()
        await server.stop()
    }

    /// The user has approved, and the browser is closed before it returned: the login waits for its proof.
    @Test func `a login without its browser waits for its proof`() async throws {
        let server = try await Self.start("return_link")
        let app = PhoneApp(server.url)
        let url = try #require(try await app.create(Self.variant.name).nextURL)
        var browser = try await ScriptedBrowser(opening: url)
        let decision = try browser.submission(button: "approve")
        let landing = try #require(try await ScriptedBrowser.send(decision)[.location])
        try await Self.hear(app, "awaiting_return")
        #expect(try await app.poll().json?["identity"] == nil)
        // The browser returns late, but in time.
        browser = try await ScriptedBrowser(opening: landing)
        let button = try #require(browser.page.text.firstMatch(of: /class="button" href="([^"]+)"/))
        let link = ScriptedBrowser.unescaped(String(button.1))
        #expect(try await app.reportReturn(["url": .string(link)]).json?["proof"]?.string == "page_link")
        await server.stop()
    }

    private static func hear(_ app: PhoneApp, _ status: String) async throws {
        for _ in 0..<20 {
            let login = try await app.poll().json
            if login?["status"]?.string == status { return }
            let version = login?["version"]?.integer ?? 1
            _ = try await app.poll(wait: 5, etag: "W/\"\(version)\"")
        }
        throw TestClient.Failure(description: "never \(status): \(try await app.poll().text)")
    }

    /// The browser returns before the broker has the result.
    @Test func `a browser may be faster than the broker`() async throws {
        let server = try await Self.start("return_link")
        server.sandbox.pauseTokenEndpoint()
        var phone = try await Self.begin(server)
        try await phone.approve()
        #expect(phone.browser?.url.contains("/done/") == true)
        #expect(
            phone.browser?.page.text.contains("http-equiv=\"refresh\"") == true,
            "it shows the current status, and reloads")
        server.sandbox.resumeTokenEndpoint()
        #expect(try await phone.logIn().status == .completed)
        phone.stop()
        await server.stop()
    }

    /// The poll is at the broker when the process stops, and its response has the tokens, which the broker gives once.
    @Test func `a stop waits for the response to a poll`() async throws {
        let server = try await Self.start()
        server.sandbox.pauseTokenEndpoint()
        var phone = try await Self.begin(server)
        try await server.sandbox.waitForHeldTokenRequests(1)
        try await phone.approve()
        phone.stop()
        async let stopped: Void = server.stopServing()
        #expect(try await eventually { (try? await TestClient.send("GET", server.url)) == nil })
        server.sandbox.resumeTokenEndpoint()
        await stopped
        #expect(server.log.text.contains("\"event\":\"login_identified\""), "\(server.log.text.suffix(600))")
        await server.stop()
    }

    static let ends: [(button: String, fault: String, reason: String?)] = [
        ("cancel", "", "user_cancelled"), ("time-out", "", "timeout"), ("approve", "slow-down", nil),
        ("approve", "id-token-wrong-acr", nil), ("approve", "oidcc-client-test-invalid-sig-rs256", "invalid_token"),
    ]

    @Test(arguments: ends)
    func `each login ends as it should`(_ row: (button: String, fault: String, reason: String?)) async throws {
        let server = try await Self.start()
        var phone = try await Self.begin(server)
        try await phone.press(row.button, fault: row.fault)
        let login = try await phone.outcome()
        #expect(login.reason?.code.code == row.reason, "\(server.log.text.suffix(600))")
        phone.stop()
        await server.stop()
    }

    /// A caller that knows our callback but not the state changes nothing.
    @Test func `a return without our state changes nothing`() async throws {
        let server = try await Self.start("return_link")
        let phone = try await Self.begin(server)
        let page = try await ScriptedBrowser(opening: "\(server.url)/callback/\(Self.variant.name)?state=x")
        #expect(page.url.hasSuffix("/done/") || !page.page.text.contains("class=\"button\""))
        #expect(phone.login?.status == .pending)
        phone.stop()
        await server.stop()
    }

    /// The app cancels, and we notify the broker.
    @Test func `a cancelled login is reported to the broker`() async throws {
        let server = try await Self.start()
        var phone = try await Self.begin(server)
        phone.cancel()
        #expect(try await phone.outcome().reason?.code.code == "app_cancelled")
        for _ in 0..<500 where server.sandbox.count(of: .delete) == 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(server.sandbox.count(of: .delete) == 1)
        phone.stop()
        await server.stop()
    }
}
