import EndToEndSupport
import Sandbox
import StrictJSON
import Testing

/// The switch proof: the e-ID's app returns to ours by a link that counts only when the broker's response arrives in
/// the browser that started the attempt. The user presses no button.
@Suite struct SwitchProofTests {
    /// A way in which the e-ID's app returns.
    struct System: Sendable, CustomTestStringConvertible {
        let variant: BrokerVariant
        let system: SandboxSystem
        let settings: String
        /// Whether its link contains a value that only a browser on this device can have sent.
        var proves = true

        var testDescription: String { self.variant.testDescription }
    }

    private static let mitID =
        ", prompt: login, scope: [openid, mitid], idp_values: [mitid], minimum_assurance: substantial"
    private static let idura = ", prompt: login, acr_values: [\"urn:grn:authn:dk:mitid:substantial\"]"

    static let systems: [System] = [
        System(
            variant: BrokerVariant(kind: "signaturgruppen", responseMode: "form_post", requestStyle: "par"),
            system: .signaturgruppen, settings: mitID),
        System(
            variant: BrokerVariant(
                kind: "signaturgruppen", responseMode: "query", requestStyle: "jar", signingAlgorithm: "PS256"),
            system: .signaturgruppen, settings: mitID),
        // In a plain browser URL the broker accepts only the registered link.
        System(
            variant: BrokerVariant(kind: "signaturgruppen", responseMode: "form_post"), system: .signaturgruppen,
            settings: mitID, proves: false),
        System(variant: BrokerVariant(kind: "idura", responseMode: "form_post"), system: .idura, settings: idura),
        System(
            variant: BrokerVariant(kind: "vipps"), system: .vipps,
            settings: ", prompt: login, scope: [openid, name]"),
    ]

    /// A login that is open at the broker, and the link by which the e-ID's app will return.
    private struct Trip {
        let server: RunningServer
        let app: PhoneApp
        var browser: ScriptedBrowser
        let link: String

        func handIn() async throws -> Answer { try await self.app.reportReturn(["url": .string(self.link)]) }
    }

    private static func begin(_ system: System, _ more: String = "") async throws -> Trip {
        let server = try await RunningServer.start(
            [system.variant], providers: system.settings + more, release: "return_link", system: system.system)
        return try await Self.begin(system, server)
    }

    private static func begin(_ system: System, _ server: RunningServer) async throws -> Trip {
        let app = PhoneApp(server.url)
        let created = try await app.create(system.variant.name, ["platform": "ios"])
        let browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        return Trip(server: server, app: app, browser: browser, link: try Self.link(on: browser))
    }

    private static func link(on browser: ScriptedBrowser) throws -> String {
        let match = try #require(browser.page.text.firstMatch(of: /<a href="([^"]+)">Return/))
        return ScriptedBrowser.unescaped(String(match.1))
    }

    /// Returns the login once the code exchange is over.
    private static func status(of app: PhoneApp) async throws -> JSON? {
        for _ in 0..<100 {
            let login = try await app.poll().json
            if login?["status"]?.string != "exchanging", login?["status"]?.string != "pending" { return login }
            _ = try await app.poll(wait: 1, etag: login.flatMap { $0["version"]?.integer }.map { "W/\"\($0)\"" })
        }
        return nil
    }

    enum Order: CaseIterable, Sendable {
        case linkFirst, answerFirst
    }

    /// Sources: A30, B13.
    @Test(arguments: systems, Order.allCases)
    func `a switch proof completes a login without a tap`(_ system: System, _ order: Order) async throws {
        var trip = try await Self.begin(system)
        if order == .linkFirst { #expect(try await trip.handIn().status == 200) }
        try await trip.app.finish(&trip.browser, system.variant)
        if order == .answerFirst {
            #expect(try await Self.status(of: trip.app)?["status"]?.string == "awaiting_return")
            #expect(try await trip.handIn().status == 200)
        }
        let login = try #require(try await Self.status(of: trip.app))
        #expect(login["status"]?.string == (system.proves ? "completed" : "awaiting_return"))
        #expect(login["proof"]?.string == (system.proves ? "switch_link" : nil))
        #expect((login["identity"] != nil) == system.proves)
        await trip.server.stop()
    }

    /// The browser has lost our cookies or never had them, so only the page's button remains.
    @Test(arguments: systems, Order.allCases)
    func `without the cookie only the button is left`(_ system: System, _ order: Order) async throws {
        var trip = try await Self.begin(system)
        if order == .linkFirst { _ = try await trip.handIn() }
        trip.browser.forgetCookies(of: trip.server.url)
        try await trip.app.finish(&trip.browser, system.variant)
        if order == .answerFirst { _ = try await trip.handIn() }
        #expect(try await Self.status(of: trip.app)?["status"]?.string == "awaiting_return")
        try await trip.browser.reload()
        let button = try #require(trip.browser.page.text.firstMatch(of: /class="button" href="([^"]+)"/))
        let link = ScriptedBrowser.unescaped(String(button.1))
        let login = try await trip.app.reportReturn(["url": .string(link)]).json
        #expect(login?["proof"]?.string == "page_link")
        await trip.server.stop()
    }

    /// The attacker opens the link in a browser that gets the cookie, and sends the broker's URL to a victim. Without
    /// PAR the proof can be read in that URL. The test assumes that the attacker always knows it.
    @Test(arguments: systems, Order.allCases)
    func `an attacker who forwards the broker's URL gets no result`(_ system: System, _ order: Order) async throws {
        let server = try await RunningServer.start(
            [system.variant], providers: system.settings, release: "return_link", system: system.system)
        let attacker = PhoneApp(server.url)
        let created = try await attacker.create(system.variant.name, ["platform": "ios"])
        let opened = try await TestClient.send("GET", try #require(created.nextURL))
        var victim = try await ScriptedBrowser(opening: try #require(opened[.location]))
        let known: JSON = ["url": .string(try Self.link(on: victim))]
        if order == .linkFirst { _ = try await attacker.reportReturn(known) }
        try await attacker.finish(&victim, system.variant)
        if order == .answerFirst { _ = try await attacker.reportReturn(known) }
        let login = try #require(try await Self.status(of: attacker))
        #expect(login["status"]?.string == "awaiting_return")
        #expect(login["identity"] == nil)
        await server.stop()
    }

    /// With `authorize: direct` the app sees the broker's URL, and a proof in it would reach the app.
    @Test func `an authorize URL in the app holds no proof`() async throws {
        let trip = try await Self.begin(Self.systems[3], ", authorize: direct")
        #expect(trip.link == RunningServer.returnPrefix)
        await trip.server.stop()
    }

    @Test func `another login's link is refused`() async throws {
        let trip = try await Self.begin(Self.systems[0])
        let other = try await Self.begin(Self.systems[0], trip.server)
        #expect(try await other.app.reportReturn(["url": .string(trip.link)]).json?["code"]?.string == "not_ours")
        let changed = String(trip.link.dropLast()) + (trip.link.hasSuffix("A") ? "B" : "A")
        #expect(try await trip.app.reportReturn(["url": .string(changed)]).json?["code"]?.string == "not_ours")
        await trip.server.stop()
    }

    /// The cookie has the `__Host-` prefix (RFC 6265bis), and a new value after the broker's response.
    @Test func `the cookie is restricted and changes after the response`() async throws {
        let system = Self.systems[0]
        let server = try await RunningServer.start(
            [system.variant], providers: system.settings, release: "return_link", system: system.system)
        let url = try #require(try await PhoneApp(server.url).create(system.variant.name).nextURL)
        let cookie = try #require(try await TestClient.send("GET", url)[.setCookie])
        #expect(
            cookie.wholeMatch(
                of:
                    /__Host-sb-[A-Za-z0-9_-]{22}=[A-Za-z0-9_-]{22}; Path=\/; Max-Age=3600; Secure; HttpOnly; SameSite=None/
            )
                != nil)
        var browser = try await ScriptedBrowser(opening: url)
        #expect(browser.hasCookies)
        let before = browser.cookies.fields(for: server.url).first?.value
        try await PhoneApp(server.url).finish(&browser, system.variant)
        let after = browser.cookies.fields(for: server.url).first?.value
        #expect(before?.prefix(33) == after?.prefix(33) && before != after)
        await server.stop()
    }
}
