import EndToEndSupport
import Sandbox
import SwitchbackClient
import TestSupport
import Testing

/// "Continue": a browser that opens the link again continues its attempt, and a tab in which the user approves always
/// counts.
@Suite struct ContinuingTests {
    /// The flows that a browser opens.
    static let flows = SystemFlow.all.filter { flow in
        !["digid", "idura bankid launch links", "idura bankid headless"].contains(flow.name)
    }

    @Test(arguments: flows, [true, false])
    func `an approval in the first tab counts after ten attempts`(_ flow: SystemFlow, _ keepsCookies: Bool) async throws
    {
        let server = try await flow.start()
        var phone = ScriptedPhone(server.url)
        phone.keepsCookies = keepsCookies
        phone.start(flow.variant.name, surface: .tab)
        try await phone.perform(try #require(try await phone.next()))
        let first = phone.browser
        for number in 1...10 {
            phone.closeBrowser()
            try await phone.perform(try #require(try await phone.next()))
            // A user who is this fast must wait a little. That ends nothing either.
            let isSlowedDown = number >= Self.quickly && phone.browser?.page.status == 429
            #expect(isSlowedDown || phone.browser?.form != nil, "\(number): \(phone.browser?.page.text ?? "")")
        }
        phone.use(first)
        try await phone.approve(person: flow.person)
        try await phone.goOn()
        #expect(phone.login?.status == .completed, "\(server.log.text.suffix(600))")
        #expect(flow.problems(phone.login?.identity) == [])
        phone.stop()
        await server.stop()
    }

    /// The app reports nothing: tabs are opened one after the other, and nine of them stay open.
    @Test(arguments: flows, [true, false])
    func `an approval in the first of ten tabs counts`(_ flow: SystemFlow, _ keepsCookies: Bool) async throws {
        let server = try await flow.start()
        let app = PhoneApp(server.url)
        let created = try await app.create(flow.variant.name, ["platform": "ios"])
        let url = try #require(created.nextURL)
        let links = (created.json?["return_prefixes"]?.array ?? []).compactMap(\.string)
        var first = try await ScriptedBrowser(opening: url, links: links)
        var statuses: [Int] = []
        for _ in 0..<9 {
            let tab = try await ScriptedBrowser(opening: url, cookies: keepsCookies ? first.cookies : CookieJar())
            statuses.append(tab.page.status)
        }
        let good = keepsCookies ? Self.quickly - 1 : 2
        #expect(statuses.prefix(good).allSatisfy { $0 == 200 })
        #expect(statuses.dropFirst(good).allSatisfy { keepsCookies ? [200, 429].contains($0) : $0 == 409 })
        try await first.submit(["person": flow.person], button: "approve")
        if first.link == nil, first.form?.buttons.isEmpty == true { try await first.submit() }
        if let link = first.link { _ = try await app.reportReturn(["url": .string(link)]) }
        for _ in 0..<50 where first.link == nil && first.button == nil { try await first.reload() }
        if let button = first.button { _ = try await app.reportReturn(["url": .string(button)]) }
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    /// A login may be opened this often in quick succession.
    private static let quickly = 5

    // MARK: - One attempt

    static let styles = [
        BrokerVariant(), BrokerVariant(requestStyle: "par"), BrokerVariant(requestStyle: "jar"),
        BrokerVariant(requestStyle: "par+jar"),
    ]

    private static func parameter(_ name: String, of url: String?) -> String? {
        url?.split(separator: "?").last?.split(separator: "&").first { $0.hasPrefix("\(name)=") }.map(String.init)
    }

    /// The request is made again because a broker may accept it only once. Its `state`, nonce and code challenge stay
    /// the same.
    @Test(arguments: styles) func `a browser goes on with its own attempt`(_ variant: BrokerVariant) async throws {
        let server = try await RunningServer.start([variant], release: "return_link")
        let app = PhoneApp(server.url)
        let url = try #require(try await app.create(variant.name).nextURL)
        let opened = try await TestClient.send("GET", url)
        var jar = CookieJar()
        jar.take(opened, from: url)
        let again = try await TestClient.send("GET", url, fields: jar.fields(for: url))
        #expect(again[.setCookie] == opened[.setCookie])
        #expect(server.sandbox.count(of: .pushedRequest) == (variant.requestStyle.hasPrefix("par") ? 2 : 0))
        if variant.requestStyle == "plain" {
            for name in ["state", "nonce", "code_challenge"] {
                let values = [opened, again].map { Self.parameter(name, of: $0[.location]) }
                #expect(values[0] == values[1] && values[0] != nil, "\(name)")
            }
        } else {
            #expect(opened[.location] != again[.location])
        }
        // Both requests are valid at the broker, and the response to either completes the login.
        var browser = try await ScriptedBrowser(opening: try #require(again[.location]))
        _ = try await ScriptedBrowser(opening: try #require(opened[.location]))
        try await app.finish(&browser, variant)
        for _ in 0..<50 where browser.button == nil { try await browser.reload() }
        _ = try await app.reportReturn(["url": .string(try #require(browser.button))])
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    /// Private windows: three get an attempt each, then one more for each that the app reports as closed. Until the
    /// report, a page says what to do.
    @Test func `without a cookie a login has three attempts at once`() async throws {
        let variant = BrokerVariant(requestStyle: "par")
        let server = try await RunningServer.start([variant], release: "return_link")
        let app = PhoneApp(server.url)
        let url = try #require(try await app.create(variant.name).nextURL)
        for _ in 0..<3 {
            let opened = try await TestClient.send("GET", url)
            #expect(opened.status == 303 && opened[.setCookie] != nil)
        }
        for _ in 0..<3 {
            let refused = try await TestClient.send("GET", url)
            #expect(refused.status == 409)
            #expect(refused.text.contains("Continue in the other window"))
            #expect(refused.text.contains("href=\"\(RunningServer.returnPrefix)\""))
            #expect(refused[.setCookie] == nil)
        }
        #expect(server.sandbox.count(of: .pushedRequest) == 3, "a refusal sends nothing to the broker")
        for _ in 0..<2 {
            for _ in 0..<2 { _ = try await app.reportReturn(["url": .null]) }
            let shared = try await TestClient.send("GET", url)
            #expect(shared.status == 303)
            #expect(shared[.setCookie] == nil, "the cookie is another browser's")
            #expect(try await TestClient.send("GET", url).status == 409)
        }
        await server.stop()
    }

    /// `authorize: direct` puts a URL into the response to the create. The broker may accept that URL only once.
    @Test func `an authorize URL of the create is continued by a link of ours`() async throws {
        let variant = BrokerVariant(requestStyle: "par")
        let server = try await RunningServer.start(
            [variant], providers: ", authorize: direct", release: "return_link")
        let app = PhoneApp(server.url)
        let created = try await app.create(variant.name)
        var first = try await ScriptedBrowser(opening: try #require(created.nextURL))
        #expect(created.nextURL?.hasPrefix(server.url) == false)
        let back = try await app.reportReturn(["url": .null])
        #expect(back.nextURL?.hasPrefix("\(server.url)/go/") == true)
        #expect(back.json?["version"]?.integer == 2)
        var again = try await ScriptedBrowser(opening: try #require(back.nextURL))
        #expect(again.form != nil)
        #expect(try await app.poll().nextURL == back.nextURL)
        try await first.submit(button: "approve")
        for _ in 0..<50 where first.button == nil { try await first.reload() }
        _ = try await app.reportReturn(["url": .string(try #require(first.button))])
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        try await again.submit(button: "approve")
        #expect(again.button == nil && again.code == nil)
        await server.stop()
    }

    // MARK: - The page again

    /// A long poll ends when the broker's response comes after the report, and again at the next report.
    @Test func `next says what to do after each report`() async throws {
        let variant = BrokerVariant.query
        let server = try await RunningServer.start([variant], release: "return_link")
        let app = PhoneApp(server.url)
        let url = try #require(try await app.create(variant.name).nextURL)
        var browser = try await ScriptedBrowser(opening: url)
        #expect(try await app.reportReturn(["url": .null]).json?["next"]?["action"]?.string == "open_browser")
        server.sandbox.pauseTokenEndpoint()
        async let held = app.poll(wait: 20, etag: "W/\"2\"")
        try await app.finish(&browser, variant)
        #expect(try await held.json?["next"]?["action"]?.string == "wait")
        try await server.sandbox.waitForHeldTokenRequests()
        server.sandbox.resumeTokenEndpoint()
        var shown = try await app.poll()
        let end = Patience.end
        while shown.json?["status"]?.string == "exchanging", ContinuousClock.now < end {
            shown = try await app.poll(wait: 20, etag: shown[.etag])
        }
        try await browser.reload()
        #expect(shown.json?["next"]?["action"]?.string == "show_browser", "this browser brought the response")
        async let heldAgain = app.poll(wait: 20, etag: shown[.etag])
        let told = try await app.reportReturn(["url": .null])
        #expect(told.json?["next"]?["action"]?.string == "enter_code")
        #expect(try await heldAgain.json?["next"]?["action"]?.string == "enter_code")
        #expect(told.nextURL == url, "no page token, no proof")
        let page = try await ScriptedBrowser(opening: url, cookies: browser.cookies)
        #expect(page.button == browser.button && page.code == browser.code && page.button != nil)
        let other = try await ScriptedBrowser(opening: url)
        #expect(other.page.status == 409 && other.code == nil && other.button == RunningServer.returnPrefix)
        _ = try await app.reportReturn(["url": .string(try #require(page.button))])
        #expect(try await app.waitForEnd()["proof"]?.string == "page_link")
        await server.stop()
    }

    /// The link to the app opened in a browser instead, so it reached the link's host, where the cookie is.
    @Test func `a link that stayed in the browser gets the page`() async throws {
        let variant = BrokerVariant.app
        let server = try await RunningServer.start([variant], release: "return_link")
        let app = PhoneApp(server.url)
        let url = try #require(try await app.create(variant.name).nextURL)
        var browser = try await ScriptedBrowser(opening: url)
        try await browser.submit(button: "approve")
        for _ in 0..<50 where browser.button == nil { try await browser.reload() }
        let told = try await app.reportReturn(["url": .null])
        #expect(told.nextURL?.hasPrefix("\(server.link)/go/") == true)
        let page = try await ScriptedBrowser(opening: try #require(told.nextURL), cookies: browser.cookies)
        #expect(page.button == browser.button && page.button != nil)
        await server.stop()
    }
}
