import EndToEndSupport
import Sandbox
import StrictJSON
import SwitchbackClient
import Testing

/// Swedish BankID without a browser (Idura's headless authentication): we start the order and poll for its result.
@Suite struct HeadlessLoginTests {
    private static let variant = BrokerVariant(kind: "idura", authentication: "private_key_jwt")

    private static func start() async throws -> RunningServer {
        try await RunningServer.start(
            [Self.variant, BrokerVariant(kind: "idura")],
            providers:
                ", flow: headless, acr_values: [\"urn:grn:authn:se:bankid\"], eid: se_bankid, countries: [SE], "
                + "minimum_assurance: substantial, assurance: substantial",
            brokers: ", poll_interval: 0, bankid_link: \"ISSUER/bankid/\"", system: .idura)
    }

    private static func begin(
        _ server: RunningServer, _ variant: BrokerVariant = Self.variant, platform: NewLogin.Platform = .android
    ) async throws -> (ScriptedPhone, AppLaunch) {
        var phone = ScriptedPhone(server.url)
        phone.start(variant.name, platform: platform)
        guard let opening = try await phone.next()?.app else {
            throw TestClient.Failure(description: "no open_app: \(String(describing: phone.login))")
        }
        return (phone, opening)
    }

    @Test(arguments: [variant, BrokerVariant(kind: "idura")], [NewLogin.Platform.ios, .android])
    func `a headless login completes on each platform`(_ variant: BrokerVariant, _ platform: NewLogin.Platform)
        async throws
    {
        let server = try await Self.start()
        var (phone, opening) = try await Self.begin(server, variant, platform: platform)
        // On an iPhone BankID needs a URL to return to.
        let redirect = platform == .ios ? "&redirect=https%3A%2F%2Fapp.example%2Fr%2F" : "&redirect=null"
        #expect(opening.universalLink?.hasSuffix(redirect) == true)
        #expect(opening.customScheme?.hasPrefix("bankid:///?autostarttoken=") == true)
        let order = try #require(server.sandbox.requestLog.lastOrderRequest[variant.name])
        #expect(order.first { $0.name == "end_user_ip" }?.value == "127.0.0.1", "the device's, not ours")
        #expect(order.first { $0.name == "acr_values" }?.value == "urn:grn:authn:se:bankid")

        try await phone.perform(.openApp(opening))
        try await phone.approve(person: "elin")
        let login = try await phone.outcome()
        #expect(login.status == .completed, "\(server.log.text.suffix(600))")
        let identity = try #require(login.identity)
        #expect(identity.eid == "se_bankid")
        #expect(identity.country == "SE")
        #expect(identity.assurance == .substantial)
        #expect(identity.name?.hasPrefix("Elin") == true)
        phone.stop()
        await server.stop()
    }

    /// The app gets each change of BankID's hints once.
    @Test func `each hint is told once`() async throws {
        let server = try await Self.start()
        let app = PhoneApp(server.url)
        let created = try #require(try await app.create(Self.variant.name, ["platform": "ios"]).json)
        let link = try #require(created["next"]?["universal_link"]?.string)
        func hint(after version: Int) async throws -> JSON {
            try #require(try await app.poll(wait: 10, etag: "W/\"\(version)\"").json)
        }
        let first = try await hint(after: 1)
        #expect(first["hint"]?.string == "outstanding_transaction")
        var (before, after) = (try #require(created["next"]?.object), try #require(first["next"]?.object))
        // How long the link is good for falls, and everything else stays.
        let times = (
            before: try #require(before["expires_in"]?.integer), after: try #require(after["expires_in"]?.integer)
        )
        #expect(times.after <= times.before)
        (before["expires_in"], after["expires_in"]) = (nil, nil)
        #expect(after == before)
        #expect(created["expires_in"]?.integer ?? 0 > 500, "the app does not see the lease of the transaction")
        var browser = try await ScriptedBrowser(opening: try #require(server.sandbox.bankIDAppURL(forLaunchLink: link)))
        #expect(try await hint(after: 2)["hint"]?.string == "started")
        try await browser.submit(button: "sign")
        #expect(try await hint(after: 3)["hint"]?.string == "user_sign")
        try await browser.submit(button: "approve")
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "completed")
        #expect(login["hint"] == nil)
        await server.stop()
    }

    static let ends: [(button: String, fault: String, reason: String?)] = [
        ("cancel", "", "user_cancelled"), ("time-out", "", "timeout"), ("approve", "slow-down", nil),
        ("approve", "id-token-wrong-acr", "assurance_too_low"),
        ("approve", "oidcc-client-test-invalid-sig-rs256", "invalid_token"),
    ]

    @Test(arguments: ends)
    func `each login ends as it should`(_ row: (button: String, fault: String, reason: String?)) async throws {
        let server = try await Self.start()
        var (phone, opening) = try await Self.begin(server)
        try await phone.perform(.openApp(opening))
        try await phone.press(row.button, fault: row.fault)
        let login = try await phone.outcome()
        #expect(login.reason?.code.code == row.reason, "\(server.log.text.suffix(600))")
        phone.stop()
        await server.stop()
    }

    /// The app is killed while BankID is open.
    @Test func `a login completes though the app is killed`() async throws {
        let server = try await Self.start()
        var (phone, opening) = try await Self.begin(server)
        try await phone.perform(.openApp(opening))
        try await phone.kill()
        try await phone.approve()
        #expect(try await phone.outcome().status == .completed)
        phone.stop()
        await server.stop()
    }

    @Test func `a cancelled login is no longer polled`() async throws {
        let server = try await Self.start()
        var (phone, opening) = try await Self.begin(server)
        try await phone.perform(.openApp(opening))
        phone.cancel()
        #expect(try await phone.outcome().reason?.code.code == "app_cancelled")
        let asked = server.sandbox.count(of: .token)
        try await phone.press("approve")
        #expect(server.sandbox.count(of: .token) <= asked + 1, "the polling has stopped")
        phone.stop()
        await server.stop()
    }
}
