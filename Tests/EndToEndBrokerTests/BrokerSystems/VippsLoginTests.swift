import EndToEndSupport
import Sandbox
import StrictJSON
import Testing

/// Vipps MobilePay Login: every flow on every platform, with the app's return before, after and without the response.
@Suite struct VippsLoginTests {
    private static let settings =
        ", prompt: login, countries: [NO], scope: [openid, name, birthDate, phoneNumber, nin], "
        + "national_id_claim: nin, national_id_type: \"no:fnr\""

    private static let backend = BrokerVariant(kind: "vipps")
    private static let app = BrokerVariant(kind: "vipps", callback: "app")

    private static func start(_ release: String = "immediate") async throws -> RunningServer {
        try await RunningServer.start(
            [Self.backend, Self.app], providers: Self.settings, release: release, system: .vipps)
    }

    private static func begin(
        _ server: RunningServer, _ more: JSON.Object = [:], _ variant: BrokerVariant = Self.backend
    ) async throws -> (PhoneApp, ScriptedBrowser) {
        let app = PhoneApp(server.url)
        let created = try await app.create(variant.name, more)
        return (app, try await ScriptedBrowser(opening: try #require(created.nextURL)))
    }

    private static func asked(_ server: RunningServer, _ variant: BrokerVariant) throws -> [String: String] {
        let asked = try #require(server.sandbox.requestLog.lastAuthorizationRequest[variant.name])
        return Dictionary(asked.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// Returns the link by which the e-ID's app returns.
    private static func link(of browser: ScriptedBrowser) throws -> String {
        let match = try #require(browser.page.text.firstMatch(of: /<a href="([^"]+)">Return/))
        return ScriptedBrowser.unescaped(String(match.1))
    }

    static let flows: [(platform: String?, switches: Bool, variant: BrokerVariant, flow: String?)] = [
        (nil, true, Self.backend, nil), ("ios", true, Self.backend, "app_to_app"),
        ("android", true, Self.backend, "app_to_app"), ("ios", false, Self.backend, nil),
        ("web", true, Self.backend, "automatic_return_from_vipps_app"), ("ios", true, Self.app, "app_to_app_v2"),
        ("android", true, Self.app, "app_to_app_v2"), (nil, true, Self.app, nil),
    ]

    /// Sources: E3, E4, E6, E11, E12, E13, E27, E29, E34.
    @Test(arguments: flows)
    func `a login completes by every flow and platform`(
        _ row: (platform: String?, switches: Bool, variant: BrokerVariant, flow: String?)
    ) async throws {
        let server = try await Self.start()
        var wishes: JSON.Object = ["app_switch": .bool(row.switches)]
        if let platform = row.platform { wishes["platform"] = .string(platform) }
        var (app, browser) = try await Self.begin(server, wishes, row.variant)
        try await app.finish(&browser, row.variant)
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "completed", "\(server.log.text.suffix(600))")
        let identity = try #require(login["identity"])
        #expect(identity["given_name"]?.string == "Håkon")
        #expect(identity["birth_date"]?.string == "1979-08-30")
        #expect(identity["country"]?.string == "NO")
        #expect(identity["national_id"]?["type"]?.string == "no:fnr")

        let asked = try Self.asked(server, row.variant)
        #expect(asked["requested_flow"] == row.flow)
        #expect(asked["app_callback_uri"] == (row.flow == "app_to_app" ? RunningServer.returnPrefix : nil))
        #expect(asked["final_redirect_is_app"] == (row.flow == "app_to_app_v2" ? "true" : nil))
        await server.stop()
    }

    /// Two logins of one client, each with a flow of its own.
    ///
    /// Sources: E7.
    @Test func `each login has its flow`() async throws {
        let server = try await Self.start()
        var flows: [String?] = []
        for switches in [true, false] {
            _ = try await Self.begin(server, ["platform": "ios", "app_switch": .bool(switches)])
            flows.append(try Self.asked(server, Self.backend)["requested_flow"])
        }
        #expect(flows == ["app_to_app", nil])
        await server.stop()
    }

    /// Vipps' app opens ours, and the browser continues the login.
    /// Sources: E15, E20, E22.
    @Test(arguments: [false, true]) func `the browser goes on after the app's return`(_ isGone: Bool) async throws {
        let server = try await Self.start()
        var (app, browser) = try await Self.begin(server, ["platform": "android"])
        let opened = try #require(try await app.poll().json?["next"]?.object)
        let link = try Self.link(of: browser)
        #expect(link.hasPrefix(RunningServer.returnPrefix + "?state="))
        for _ in 0..<2 {
            let answer = try await app.reportReturn(["url": .string(link)])
            let next = try #require(answer.json?["next"]?.object)
            #expect(next["action"]?.string == "resume_browser")
            // The same browser, or one of the same kind: it has the cookies.
            for name in ["surfaces", "callback", "callback_scheme", "ephemeral", "android_packages"] {
                #expect(next[name] == opened[name], "\(name)")
            }
            #expect(answer.json?["version"]?.integer == 2, "the second time changes nothing")
        }
        let url = try #require(try await app.poll().json?["next"]?["url"]?.string)
        #expect(url.hasPrefix(server.sandbox.issuer + "resume"))
        if isGone { browser = try await ScriptedBrowser(opening: url, cookies: browser.cookies) }
        try await app.finish(&browser, Self.backend)
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        #expect(try await app.reportReturn(["url": .string(link)]).json?["status"]?.string == "completed", "too late")
        await server.stop()
    }

    /// `resume_uri` continues nothing in a browser without Vipps' cookie, and the login stays open in the first one.
    @Test func `another browser cannot go on`() async throws {
        let server = try await Self.start()
        var (app, browser) = try await Self.begin(server, ["platform": "ios"])
        let answer = try await app.reportReturn(["url": .string(try Self.link(of: browser))])
        let url = try #require(answer.nextURL)
        let other = try await ScriptedBrowser(opening: url)
        #expect(other.page.status == 400 && other.form == nil)
        #expect(other.page.text.contains("begun in another browser"))
        #expect(try await app.poll().nextURL == url)
        try await app.finish(&browser, Self.backend)
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    /// Error links as the documentation has them: with a second `?` instead of an `&`.
    /// Sources: E32.
    @Test func `an error with a second question mark is read`() async throws {
        let server = try await Self.start()
        let (app, _) = try await Self.begin(server, ["platform": "ios"])
        let state = try #require(try Self.asked(server, Self.backend)["state"])
        let link = RunningServer.returnPrefix + "?state=\(state)?error=unknown_error"
        let login = try #require(try await app.reportReturn(["url": .string(link)]).json)
        #expect(login["status"]?.string == "failed")
        #expect(login["reason"]?["code"]?.string == "broker_error")

        let (other, _) = try await Self.begin(server)
        let known = try #require(try Self.asked(server, Self.backend)["state"])
        let page = try await TestClient.send(
            "GET", "\(server.url)/callback/\(Self.backend.name)?state=\(known)?error=access_denied")
        #expect(page.status == 303)
        #expect(try await other.waitForEnd()["reason"]?["code"]?.string == "user_cancelled")
        await server.stop()
    }

    /// The test replaces `STATE` with the login's state and `BROKER` with the broker's URL.
    static let strange: [(query: String, status: Int)] = [
        ("state=STATE&resume_uri=https%3A%2F%2Fevil.example%2F", 200),
        ("state=STATE&resume_uri=javascript%3Aalert(1)", 200),
        ("state=STATE&resume_uri=BROKER&resume_uri=BROKER", 200),
        ("state=x&resume_uri=BROKER", 422), ("resume_uri=BROKER", 422),
        ("state=STATE&state=STATE&resume_uri=BROKER", 422),
    ]

    /// A resume link is used only if it leads to the broker and belongs to this login.
    /// Sources: E21, E24.
    @Test(arguments: strange)
    func `a resume link must be the broker's own`(_ row: (query: String, status: Int)) async throws {
        let server = try await Self.start()
        let (app, _) = try await Self.begin(server, ["platform": "ios"])
        let state = try #require(try Self.asked(server, Self.backend)["state"])
        let query = row.query.replacing("STATE", with: state).replacing("BROKER", with: server.sandbox.issuer)
        #expect(
            try await app.reportReturn(["url": .string("\(RunningServer.returnPrefix)?\(query)")]).status == row.status)
        #expect(try await app.poll().json?["next"]?["action"]?.string == "open_browser")
        await server.stop()
    }

    @Test func `another login's resume link is refused`() async throws {
        let server = try await Self.start()
        let (_, browser) = try await Self.begin(server, ["platform": "ios"])
        let link = try Self.link(of: browser)
        let (other, _) = try await Self.begin(server, ["platform": "ios"])
        #expect(try await other.reportReturn(["url": .string(link)]).json?["code"]?.string == "not_ours")
        await server.stop()
    }

    /// With `app_to_app_v2` a code in the app's link is a proof. A code in a browser, where the link opened instead, is
    /// none.
    /// Sources: E16, E28.
    @Test(arguments: [true, false]) func `a code is a proof only in the app's link`(_ isByApp: Bool) async throws {
        let server = try await Self.start("return_link")
        var (app, browser) = try await Self.begin(server, ["platform": "ios"], Self.app)
        let decision = try browser.submission(button: "approve")
        let link = try #require(try await browser.links(after: decision).first)
        if isByApp {
            _ = try await app.reportReturn(["url": .string(link)])
            #expect(try await app.waitForEnd()["proof"]?.string == "callback_link")
        } else {
            browser = try await ScriptedBrowser(opening: link)
            _ = try await app.poll(wait: 2)
            try await browser.reload()
            #expect(try await app.poll().json?["identity"] == nil)
            #expect(browser.code != nil)
        }
        await server.stop()
    }
}
