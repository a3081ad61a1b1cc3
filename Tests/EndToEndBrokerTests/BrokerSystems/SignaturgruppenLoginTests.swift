import Base
import EndToEndSupport
import Sandbox
import StrictJSON
import Testing

/// MitID through Signaturgruppen's Nets eID Broker: every platform, with and without the app switch, and every style of
/// request and response.
@Suite struct SignaturgruppenLoginTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let platform: String?
        let switchesApps: Bool
        let variant: BrokerVariant

        var testDescription: String {
            "\(self.platform ?? "no platform") \(self.switchesApps ? "switch" : "no switch") \(self.variant.testDescription)"
        }

        /// The app switch needs an app on a phone.
        var system: String? { self.switchesApps ? self.platform.flatMap { $0 == "web" ? nil : $0 } : nil }
    }

    private static let styles = [("plain", "ES256"), ("par", "ES256"), ("jar", "HS256"), ("par+jar", "PS256")]

    static let rows: [Row] = [nil, "ios", "android", "web"].flatMap { platform in
        [true, false].flatMap { switchesApps in
            Self.styles.flatMap { style, algorithm in
                ["query", "form_post"].map { mode in
                    Row(
                        platform: platform, switchesApps: switchesApps,
                        variant: BrokerVariant(
                            kind: "signaturgruppen", responseMode: mode, requestStyle: style,
                            signingAlgorithm: algorithm))
                }
            }
        }
    }

    private static let settings =
        ", prompt: login, countries: [DK], eid: mitid, scope: [openid, mitid, ssn], idp_values: [mitid], "
        + "reference_text: Log ind i Prøven, minimum_assurance: substantial, amr_values: [code_app, code_reader], "
        + "national_id_claim: dk.cpr, national_id_type: \"dk:cpr\""

    private static func start(
        _ variants: [BrokerVariant], _ more: String = "", release: String = "immediate"
    ) async throws -> RunningServer {
        try await RunningServer.start(
            variants, providers: Self.settings + more, release: release, system: .signaturgruppen)
    }

    private static let plain = BrokerVariant(kind: "signaturgruppen", responseMode: "form_post")

    private static func begin(
        _ server: RunningServer, _ more: JSON.Object = [:], _ variant: BrokerVariant = Self.plain
    ) async throws -> (PhoneApp, ScriptedBrowser) {
        let app = PhoneApp(server.url)
        let created = try await app.create(variant.name, more)
        return (app, try await ScriptedBrowser(opening: try #require(created.nextURL)))
    }

    /// The browsers that MitID's app switch works in on Android, the better one first.
    ///
    /// Sources: D2.
    @Test func `a tab is Chrome's or Samsung's`() async throws {
        let server = try await Self.start([Self.plain])
        let created = try await PhoneApp(server.url).create(Self.plain.name, ["platform": "android"])
        #expect(
            created.json?["next"]?["android_packages"] == ["com.android.chrome", "com.sec.android.app.sbrowser"])
        await server.stop()
    }

    /// Sources: D21, D29, D37, D44, D56.
    @Test(arguments: rows) func `a login completes on each platform`(_ row: Row) async throws {
        let server = try await Self.start([row.variant])
        var wishes: JSON.Object = ["locale": "da-DK", "app_switch": .bool(row.switchesApps)]
        if let platform = row.platform { wishes["platform"] = .string(platform) }
        var (app, browser) = try await Self.begin(server, wishes, row.variant)
        try await app.finish(&browser, row.variant)
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "completed", "\(server.log.text.suffix(600))")

        let identity = try #require(login["identity"])
        #expect(identity["eid"]?.string == "mitid")
        #expect(identity["country"]?.string == "DK")
        #expect(identity["assurance"]?.string == "substantial")
        #expect(identity["name"]?.string == "Freja Lindegaard")
        #expect(identity["birth_date"]?.string == "1991-04-17")
        #expect(identity["given_name"] == .null, "the broker does not say which part of the name it is")
        #expect(identity["national_id"]?["type"]?.string == "dk:cpr")
        #expect(identity["national_id"]?["value"]?.string == SandboxIdentity.named("freja")?.nationalID)
        try self.expectRequest(server, row)
        await server.stop()
    }

    private func expectRequest(_ server: RunningServer, _ row: Row) throws {
        let asked = try #require(server.sandbox.requestLog.lastAuthorizationRequest[row.variant.name])
        func value(_ name: String) -> String? { asked.first { $0.name == name }?.value }
        #expect(value("idp_values") == "mitid")
        #expect(value("language") == "da")
        #expect(value("prompt") == "login")
        let text = try #require(value("idp_params"))
        let mitID = try #require(try JSON(parsing: Array(text.utf8))["mitid"])
        #expect(mitID["reference_text"]?.string == Base64.encode(Array("Log ind i Prøven".utf8)))
        #expect(mitID["enable_app_switch"]?.bool == (row.system == nil ? nil : true))
        #expect(mitID["app_switch_os"]?.string == row.system)
        #expect(mitID["app_switch_url"]?.string == (row.system == nil ? nil : RunningServer.returnPrefix))
    }

    /// When the MitID app opens ours. The link carries no data and changes nothing.
    enum Return: CaseIterable, Sendable {
        case beforeTheAnswer, afterTheAnswer, never, without
    }

    /// Sources: D10, D22, D30.
    @Test(arguments: Return.allCases)
    func `apps return before, after or without the response`(_ order: Return) async throws {
        let server = try await Self.start([Self.plain])
        var (app, browser) = try await Self.begin(server, ["platform": "ios"])
        let link: JSON = order == .without ? .null : .string(RunningServer.returnPrefix)
        if order == .beforeTheAnswer || order == .without {
            let answer = try await app.reportReturn(["url": link])
            #expect(answer.status == 200)
            #expect(answer.json?["status"]?.string == "pending")
        }
        try await app.finish(&browser, Self.plain)
        if order == .afterTheAnswer { #expect(try await app.reportReturn(["url": link]).status == 200) }
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    /// The broker promises `iss`, but leaves it out of errors.
    /// Sources: D38.
    @Test func `a cancel at the broker cancels the login`() async throws {
        let server = try await Self.start([Self.plain])
        var (app, browser) = try await Self.begin(server)
        try await browser.submit(button: "cancel")
        try await browser.submit()
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "cancelled")
        #expect(login["reason"]?["code"]?.string == "user_cancelled")
        await server.stop()
    }

    static let refused: [(fault: String, settings: String, reason: String)] = [
        ("", ", minimum_assurance: high", "assurance_too_low"),
        ("", ", minimum_aal: high", "completed"), ("", ", minimum_ial: high", "assurance_too_low"),
        ("", ", minimum_ial: substantial", "completed"),
        ("", ", amr_values: [code_chip]", "assurance_too_low"),
        ("", ", idp_values: [mitid_erhverv, mobilepay]", "completed"),
        ("oidcc-client-test-userinfo-invalid-sub", "", "invalid_token"),
        ("id-token-typ-at+jwt", "", "invalid_token"),
        ("error-server-error", "", "broker_error"),
        ("oidcc-client-test-nonce-invalid", "", "invalid_token"),
        ("id-token-auth-time-old", "", "not_fresh"),
        ("fapi2-security-profile-final-client-test-remove-authorization-response-iss", "", "invalid_response"),
    ]

    /// Sources: D28.
    @Test(arguments: refused)
    func `each login ends as it should`(_ row: (fault: String, settings: String, reason: String)) async throws {
        let server = try await RunningServer.start(
            [Self.plain], providers: Self.changed(row.settings), system: .signaturgruppen)
        var (app, browser) = try await Self.begin(server)
        try await app.finish(&browser, Self.plain, fault: row.fault)
        let login = try await app.waitForEnd()
        #expect(login["reason"]?["code"]?.string ?? login["status"]?.string == row.reason)
        await server.stop()
    }

    /// Returns the settings with another value for one of them.
    private static func changed(_ setting: String) -> String {
        guard let name = setting.dropFirst(2).split(separator: ":").first else { return self.settings }
        let kept = self.settings.split(separator: ", ").filter { !$0.hasPrefix("\(name):") }
        guard name == "amr_values" else { return ", " + kept.joined(separator: ", ") + setting }
        return self.settings.replacing("[code_app, code_reader]", with: "[code_chip]")
    }

    /// The broker shows its own page and never redirects, so the login expires.
    @Test func `a request that is wrong never returns`() async throws {
        let server = try await Self.start([Self.plain], ", parameters: [ui_hint]")
        let (app, _) = try await Self.begin(server)
        let created = try await app.poll()
        let url = try #require(created.nextURL)
        let authorize = try #require(try await TestClient.send("GET", url)[.location])
        let page = try await TestClient.send(
            "GET", authorize.replacing("idp_values=mitid", with: "idp_values=nobody"))
        #expect(page.status == 400)
        #expect(page[.location] == nil)
        server.clock.advance(by: .seconds(601))
        #expect(try await app.waitForEnd()["reason"]?["code"]?.string == "timeout")
        await server.stop()
    }

    /// The app's return from MitID is no proof: the link contains nothing that the app did not know.
    @Test func `the app's return proves nothing`() async throws {
        let server = try await Self.start([Self.plain], release: "return_link")
        var (app, browser) = try await Self.begin(server, ["platform": "android"])
        try await app.finish(&browser, Self.plain)
        _ = try await app.poll(wait: 2)
        let answer = try await app.reportReturn(["url": .string(RunningServer.returnPrefix)])
        #expect(answer.json?["identity"] == nil)
        #expect(["exchanging", "awaiting_return"].contains(answer.json?["status"]?.string))
        await server.stop()
    }
}
