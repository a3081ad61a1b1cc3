import Base
import EndToEndSupport
import StrictJSON
import SwitchbackClient
import Testing

/// The attacker of design 5 at every system whose result requires a proof. The attacker knows everything that was ever
/// sent to the attacker's own app. The victim has the same app on another phone, and does what the attacker asks.
@Suite struct EveryAttackTests {
    static let flows = SystemFlow.all.filter { !$0.isImmediate }

    /// What the attacker sends the victim.
    enum Bait: CaseIterable, Sendable {
        /// The link that the attacker's app was to open.
        case unopened
        /// The URL that this link leads to, after the attacker has opened it.
        case brokersURL
        /// The link again, after the attacker has used up the attempts and reported the browsers as closed: the victim
        /// shares an attempt of which the attacker knows everything.
        case shared
    }

    private static func create(
        _ flow: SystemFlow, _ server: RunningServer, platform: JSON = "ios"
    ) async throws -> (PhoneApp, String) {
        let app = PhoneApp(server.url)
        let next = try #require(try await app.create(flow.variant.name, ["platform": platform]).json?["next"])
        return (app, try #require(next["url"]?.string ?? next["universal_link"]?.string))
    }

    /// Links that open the app on the victim's phone.
    private static func prefixes(_ app: PhoneApp) async throws -> [String] {
        let all = try await app.poll().json?["return_prefixes"]?.array ?? []
        return all.compactMap(\.string)
    }

    @Test(arguments: flows, Bait.allCases)
    func `a victim who logs in gives the attacker no result`(_ flow: SystemFlow, _ bait: Bait) async throws {
        let server = try await flow.start()
        var (attacker, link) = try await Self.create(flow, server)
        let (victim, _) = try await Self.create(flow, server)
        if bait == .brokersURL { link = try await Self.brokersURL(link, server) }
        let own = bait == .shared ? try await Self.shareOpenings(link, attacker, server) : nil
        var browser = try await ScriptedBrowser(opening: link, links: try await Self.prefixes(victim))
        let reportReturn = browser.reportReturn
        try await Self.logIn(&browser, flow, attacker)
        try await Self.handIn([browser.link, browser.button, reportReturn], to: victim)
        // An attacker who opened the link has seen the broker's URL and its content, such as the e-ID app's return
        // link.
        let seen = (bait == .unopened ? [] : [reportReturn, own?.reportReturn]).compactMap(\.self)
        try await Self.guess([link, RunningServer.returnPrefix] + seen, attacker, own?.cookies ?? CookieJar())
        server.clock.advance(by: .seconds(601))
        #expect(try await attacker.waitForEnd()["identity"] == nil)
        await server.stop()
    }

    /// A page of the app, which waits for the link, and the app's settings with it.
    private static let page = "https://www.example.com/login/"
    private static let pages =
        "return_prefixes: [\"\(RunningServer.returnPrefix)\", \"\(page)\"], origins: [\"https://www.example.com\"]"

    /// Somebody sends the link of their own login to a victim at a desk. The victim's browser goes to the app's page
    /// without a tap, if it opened our link itself. No page there has the attacker's poll secret, but the page of the
    /// victim's own login may get the link.
    @Test(arguments: flows.filter { $0.app.isEmpty && $0.system != .digid }, Bait.allCases)
    func `a victim at a desk gives the attacker no result`(_ flow: SystemFlow, _ bait: Bait) async throws {
        let server = try await flow.start(app: Self.pages)
        var (attacker, link) = try await Self.create(flow, server, platform: "web")
        let (victim, _) = try await Self.create(flow, server, platform: "web")
        if bait == .brokersURL { link = try await Self.brokersURL(link, server) }
        let own = bait == .shared ? try await Self.shareOpenings(link, attacker, server) : nil
        // No link opens an app there.
        var browser = try await ScriptedBrowser(opening: link, links: [Self.page])
        try await Self.logIn(&browser, flow, attacker)
        let isSent = bait == .unopened && flow.variant.callback == "backend" && flow.name != "signaturgruppen ciba"
        if isSent { #expect(browser.link?.hasPrefix("\(Self.page)?login=\(attacker.id ?? "")&proof=") == true) }
        try await Self.handIn([browser.link, browser.button], to: victim)
        let guesses = [link, Self.page, "\(Self.page)?login=\(attacker.id ?? "")", RunningServer.returnPrefix]
        try await Self.guess(guesses, attacker, own?.cookies ?? CookieJar())
        server.clock.advance(by: .seconds(601))
        #expect(try await attacker.waitForEnd()["identity"] == nil)
        await server.stop()
    }

    /// Returns the URL that the link leads to, which the attacker sends in its place.
    private static func brokersURL(_ link: String, _ server: RunningServer) async throws -> String {
        guard link.hasPrefix("\(server.url)/go/") else { return link }
        return try #require(try await TestClient.send("GET", link)[.location])
    }

    /// The victim's app hands in every link that opens it. None belongs to a login of that app.
    private static func handIn(_ links: [String?], to victim: PhoneApp) async throws {
        for link in links.compactMap(\.self) where ![RunningServer.returnPrefix, Self.page].contains(link) {
            let answer = try await victim.reportReturn(["url": .string(link)])
            #expect(answer.json?["code"]?.string == "not_ours", "\(link)")
        }
        #expect(try await victim.poll().json?["status"]?.string == "pending", "the victim's own login continues")
    }

    /// The attacker tries what the attacker knows, and asks for the page.
    private static func guess(_ links: [String], _ attacker: PhoneApp, _ cookies: CookieJar) async throws {
        for guess in links {
            let answer = try await attacker.reportReturn(["url": .string(guess)])
            #expect(answer.json?["identity"] == nil)
        }
        for code in ["000000", "123456", "999999"] {
            #expect(try await attacker.reportReturn(["code": .string(code)]).json?["identity"] == nil)
        }
        try await Self.askForThePage(attacker, cookies)
        #expect(try await attacker.poll().json?["identity"] == nil)
    }

    /// Returns the attacker's own browser, in the attempt that the next browser without a cookie will share.
    private static func shareOpenings(
        _ link: String, _ attacker: PhoneApp, _ server: RunningServer
    ) async throws -> ScriptedBrowser? {
        guard link.hasPrefix("\(server.url)/go/") else { return nil }
        for _ in 0..<2 { _ = try await TestClient.send("GET", link) }
        let own = try await ScriptedBrowser(opening: link)
        #expect(try await attacker.reportReturn(["url": .null]).json?["status"]?.string == "pending")
        return own
    }

    /// The attacker reports the browser as gone, and opens the URL that shows the page again, with the attacker's
    /// cookies.
    private static func askForThePage(_ attacker: PhoneApp, _ cookies: CookieJar) async throws {
        let login = try await attacker.reportReturn(["url": .null]).json
        #expect(login?["identity"] == nil)
        guard let url = login?["next"]?["url"]?.string, login?["status"]?.string == "awaiting_return" else { return }
        let page = try await ScriptedBrowser(opening: url, cookies: cookies)
        #expect(page.code == nil)
        #expect(page.button == nil || [RunningServer.returnPrefix, Self.page].contains(page.button))
    }

    /// The user of the browser logs in. Afterwards the browser shows the page after the outcome.
    private static func logIn(_ browser: inout ScriptedBrowser, _ flow: SystemFlow, _ app: PhoneApp) async throws {
        try await browser.submit(["person": flow.person], button: "approve")
        if browser.link == nil, browser.form?.buttons.isEmpty == true { try await browser.submit() }
        try await Self.settle(app)
        if browser.link == nil { try await browser.reload() }
    }

    private static func settle(_ app: PhoneApp) async throws {
        for _ in 0..<200 {
            let status = try await app.poll().json?["status"]?.string
            if status != "exchanging", status != "pending" { return }
            if status == "pending" {
                try await Task.sleep(for: .milliseconds(5))
            } else {
                _ = try await app.poll(wait: 1, etag: "W/\"2\"")
            }
        }
    }

    /// The attacker logs in, and hands the links and codes of that login to the victim's app.
    @Test(arguments: flows)
    func `the attacker's own response completes no other login`(_ flow: SystemFlow) async throws {
        let server = try await flow.start()
        let (attacker, link) = try await Self.create(flow, server)
        let (victim, _) = try await Self.create(flow, server)
        var browser = try await ScriptedBrowser(opening: link, links: try await Self.prefixes(attacker))
        let reportReturn = browser.reportReturn
        try await Self.logIn(&browser, flow, attacker)
        for link in [browser.link, browser.button, reportReturn].compactMap(\.self)
        where link != RunningServer.returnPrefix {
            #expect(
                try await victim.reportReturn(["url": .string(link)]).json?["code"]?.string == "not_ours", "\(link)")
        }
        #expect(try await victim.poll().json?["status"]?.string == "pending")
        await server.stop()
    }

    /// The state of an attempt is known, but the code is another user's. The first code counts, and the other one gets
    /// neither a page nor an effect.
    @Test(arguments: flows.filter { $0.variant.callback == "backend" && $0.name != "signaturgruppen ciba" })
    func `another code for the same state has no effect`(_ flow: SystemFlow) async throws {
        let server = try await flow.start()
        let (app, link) = try await Self.create(flow, server)
        var browser = try await ScriptedBrowser(opening: link)
        server.sandbox.pauseTokenEndpoint()
        let callback = try await browser.callback(of: flow.variant)
        var answer = try await ScriptedBrowser.send(callback)
        #expect(answer[.location]?.contains("/done/") == true)
        let body = String(decoding: callback.body, as: UTF8.self)
        let other = ScriptedBrowser.Submission(
            method: callback.method, url: callback.url.replacing("code=", with: "code=x"),
            body: Array(body.replacing("code=", with: "code=x").utf8))
        answer = try await ScriptedBrowser.send(other)
        let page = try await ScriptedBrowser(opening: "\(server.url)\(answer[.location] ?? "")")
        #expect(page.button == nil && page.code == nil && page.form == nil)
        server.sandbox.resumeTokenEndpoint()
        try await Self.settle(app)
        #expect(try await app.poll().json?["status"]?.string == "awaiting_return")
        #expect(server.sandbox.count(of: .token) == 1)
        await server.stop()
    }

    /// Anyone can make a link that opens the app. A link that says the login is over, without this login's state, ends
    /// nothing in any flow.
    @Test(arguments: SystemFlow.all) func `no link ends a login by its word alone`(_ flow: SystemFlow) async throws {
        let server = try await flow.start()
        let (victim, _) = try await Self.create(flow, server)
        let (_, theirs) = try await Self.create(flow, server)
        let isLink = theirs.hasPrefix("\(server.url)/go/")
        let sent = isLink ? try await TestClient.send("GET", theirs)[.location] : theirs
        let state = sent?.firstMatch(of: /[?&]state=([^&]+)/).map { String($0.1) } ?? "x"
        let digid = #"{"SAMLart":null,"RelayState":null,"ErrorMessage":"_by_user"}"#
        let queries = [
            "error=access_denied", "error=access_denied&state=x", "error=access_denied&state=\(state)",
            "state=\(state)?error=unknown_error", "error=access_denied&login=\(victim.id ?? "")",
            "code=x&state=\(state)",
            "cancelled=true", "app-app=" + Base64.encode(Array(digid.utf8)), "",
        ]
        for prefix in try await Self.prefixes(victim) {
            for query in queries {
                let answer = try await victim.reportReturn(["url": .string("\(prefix)?\(query)")])
                #expect([200, 422].contains(answer.status), "\(prefix) \(query)")
                if answer.status == 200 { #expect(answer.json?["status"]?.string == "pending", "\(prefix) \(query)") }
            }
        }
        #expect(try await victim.poll().json?["status"]?.string == "pending")
        await server.stop()
    }

    /// The attacker's create asks for the scheme, which another app on the victim's phone has claimed too. That app is
    /// sent nothing automatically, and never a proof.
    @Test func `an app that catches the scheme has no proof`() async throws {
        let server = try await RunningServer.start(
            [.query], release: "return_link",
            app: "return_prefixes: [\"\(RunningServer.returnPrefix)\"], return_scheme: com.example.demo")
        let attacker = PhoneApp(server.url)
        let created = try await attacker.create(
            BrokerVariant.query.name, ["surface": "auth_session", "callback": "scheme"])
        var victim = try await ScriptedBrowser(opening: try #require(created.nextURL), links: ["com.example.demo:"])
        try await attacker.finish(&victim, .query)
        try await Self.settle(attacker)
        #expect(victim.link == nil, "an ordinary browser is not sent to the scheme")
        try await victim.reload()
        let button = try #require(victim.button)
        #expect(button == "com.example.demo:/")
        #expect(try await attacker.reportReturn(["url": .string(button)]).json?["identity"] == nil)
        #expect(try await attacker.poll().json?["next"]?["action"]?.string == "enter_code")
        server.clock.advance(by: .seconds(301))
        #expect(try await attacker.waitForEnd()["identity"] == nil)
        await server.stop()
    }
}
