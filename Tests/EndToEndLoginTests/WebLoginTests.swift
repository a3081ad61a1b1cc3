import EndToEndSupport
import StrictJSON
import Testing

/// Where the login of a web page ends: at a page on the app's own origin, or on the done page.
@Suite struct WebLoginTests {
    private static let origin = "https://www.example.com"
    private static let page = "https://www.example.com/login/"

    /// The settings of an app with these return prefixes and a web page.
    private static func app(_ prefixes: String...) -> String {
        let list = prefixes.map { "\"\($0)\"" }.joined(separator: ", ")
        return "return_prefixes: [\(list)], origins: [\"\(Self.origin)\"]"
    }

    /// On phones, and on the web.
    private static let both = Self.app(RunningServer.returnPrefix, Self.page)

    struct Row: Sendable, CustomTestStringConvertible {
        let create: JSON.Object
        let app: String
        var release = "return_link"
        /// Where the browser is sent without a tap. Nil if it stays on the done page.
        var redirect: String?
        /// Where the button of the done page leads.
        var button: String?
        let proof: String

        var testDescription: String {
            "\(String(decoding: JSON.object(self.create).encoded(), as: UTF8.self)) \(self.release) \(self.app)"
        }
    }

    static let rows: [Row] = [
        Row(create: ["platform": "web"], app: both, redirect: page, proof: "page_link"),
        Row(create: ["platform": "web"], app: app(page), redirect: page, proof: "page_link"),
        Row(create: ["platform": "web", "surface": "auth_session"], app: both, redirect: page, proof: "page_link"),
        Row(create: ["platform": "web"], app: both, release: "immediate", redirect: page, proof: "none"),
        // The app asks for the done page.
        Row(create: ["platform": "web", "surface": "system"], app: both, button: page, proof: "page_code"),
        Row(create: ["platform": "web", "surface": "tab"], app: both, button: page, proof: "page_code"),
        Row(create: ["platform": "web"], app: both, release: "code", button: page, proof: "page_code"),
        // The app's origin has none of the prefixes: scheme, host and port must all match.
        Row(
            create: ["platform": "web"], app: app(RunningServer.returnPrefix), button: RunningServer.returnPrefix,
            proof: "page_code"),
        Row(
            create: ["platform": "web"], app: app("https://www.example.com:8443/"),
            button: "https://www.example.com:8443/", proof: "page_code"),
        Row(
            create: ["platform": "web"], app: app("https://example.com/"), button: "https://example.com/",
            proof: "page_code"),
        Row(
            create: ["platform": "web", "surface": "auth_session"], app: app(RunningServer.returnPrefix),
            button: RunningServer.returnPrefix, proof: "page_code"),
        // Other platforms are as they were.
        Row(create: [:], app: both, button: RunningServer.returnPrefix, proof: "page_code"),
        Row(create: ["platform": "ios"], app: both, button: RunningServer.returnPrefix, proof: "page_code"),
        Row(
            create: ["platform": "ios", "surface": "auth_session"], app: both, redirect: RunningServer.returnPrefix,
            proof: "page_link"),
    ]

    @Test(arguments: rows) func `a web login ends where its page is`(_ row: Row) async throws {
        let server = try await RunningServer.start([.query], release: row.release, app: row.app)
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name, row.create)
        #expect(created.json?["next"]?["callback"]?.string == row.redirect ?? row.button, "it closes an auth session")
        var browser = try await ScriptedBrowser(
            opening: try #require(created.nextURL), links: [Self.page, RunningServer.returnPrefix])
        try await app.finish(&browser, .query)
        if let redirect = row.redirect {
            let link = try #require(browser.link)
            #expect(row.proof == "none" ? link == redirect : link.hasPrefix("\(redirect)?login=\(app.id ?? "")&proof="))
            _ = try await app.reportReturn(["url": .string(link)])
        } else {
            #expect(browser.link == nil)
            try await Self.waits(app)
            try await browser.reload()
            #expect(browser.button?.prefix { $0 != "?" } == row.button?[...])
            let device = row.create["platform"] == "web" ? "on this device." : "on this phone."
            #expect(browser.page.text.contains(device))
            #expect(browser.page.text.contains("phone") == (device == "on this phone."))
            _ = try await app.reportReturn(["code": .string(try #require(browser.code))])
        }
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "completed")
        #expect(login["proof"]?.string == row.proof)
        await server.stop()
    }

    /// Returns when the login waits for its proof.
    private static func waits(_ app: PhoneApp) async throws {
        for _ in 0..<100 where try await app.poll().json?["status"]?.string != "awaiting_return" {
            _ = try await app.poll(wait: 1, etag: "W/\"2\"")
        }
    }

    private static func begin(_ server: RunningServer) async throws -> (PhoneApp, ScriptedBrowser) {
        let app = PhoneApp(server.url)
        let url = try #require(try await app.create(BrokerVariant.query.name, ["platform": "web"]).nextURL)
        return (app, try await ScriptedBrowser(opening: url, links: [Self.page]))
    }

    /// The e-ID's app may send the user to another browser, where no page of the app waits.
    @Test func `another browser stays on the done page`() async throws {
        let server = try await RunningServer.start([.query], release: "return_link", app: Self.both)
        var (app, browser) = try await Self.begin(server)
        let callback = try await browser.callback(of: .query)
        let answer = try await ScriptedBrowser.send(callback)
        let path = try #require(answer[.location])
        #expect(path.hasPrefix("/done/"))
        try await Self.waits(app)
        let other = try await ScriptedBrowser(opening: server.url + path)
        _ = try await app.reportReturn(["code": .string(try #require(other.code))])
        #expect(try await app.waitForEnd()["proof"]?.string == "page_code")
        await server.stop()
    }

    /// The redirect is for the browser that opened our link, however often it has the response, and for no other.
    @Test func `another browser that repeats the response stays on the done page`() async throws {
        let server = try await RunningServer.start([.query], release: "return_link", app: Self.both)
        var (_, browser) = try await Self.begin(server)
        let callback = try await browser.callback(of: .query)
        for _ in 0..<2 {
            try await browser.perform(callback)
            #expect(browser.link?.hasPrefix(Self.page) == true)
        }
        #expect(try await ScriptedBrowser.send(callback)[.location]?.hasPrefix("/done/") == true)
        await server.stop()
    }

    /// The app's page was not reached: its first tab says so, and the same browser then shows the code.
    @Test func `a page that got no link can have the code`() async throws {
        let server = try await RunningServer.start([.query], release: "return_link", app: Self.both)
        var (app, browser) = try await Self.begin(server)
        try await app.finish(&browser, .query)
        #expect(browser.link?.hasPrefix(Self.page) == true)
        try await Self.waits(app)
        let next = try await app.reportReturn(["url": .null]).json?["next"]
        #expect(next?["action"]?.string == "enter_code")
        let again = try await ScriptedBrowser(
            opening: try #require(next?["url"]?.string), links: [Self.page], cookies: browser.cookies)
        #expect(again.link == nil)
        _ = try await app.reportReturn(["code": .string(try #require(again.code))])
        #expect(try await app.waitForEnd()["proof"]?.string == "page_code")
        await server.stop()
    }

    @Test func `a user who cancels is sent back without a proof`() async throws {
        let server = try await RunningServer.start([.query], release: "return_link", app: Self.both)
        var (app, browser) = try await Self.begin(server)
        try await browser.submit(button: "cancel")
        #expect(browser.link == Self.page)
        #expect(try await app.waitForEnd()["reason"]?["code"]?.string == "user_cancelled")
        await server.stop()
    }
}
