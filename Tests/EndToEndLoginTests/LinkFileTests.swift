import Base
import EndToEndSupport
import Testing

/// The link files, the page behind a return link, and the app's own scheme, over real sockets.
@Suite struct LinkFileTests {
    static let fingerprint = Array(repeating: "0A", count: 32).joined(separator: ":")

    static func app(_ link: String) -> String {
        """
        return_prefixes: ["\(link)/r/"], return_scheme: com.example.demo, \
        ios: {app_ids: [ABCDE12345.com.example.demo]}, \
        android: [{package: com.example.demo, sha256_cert_fingerprints: ["\(fingerprint)"]}]
        """
    }

    static func start(link: String = "https://link.example.com") async throws -> RunningServer {
        try await RunningServer.start([.app, .query], app: Self.app(link), link: link)
    }

    /// Sources: D52.
    @Test(arguments: ["apple-app-site-association", "assetlinks.json"])
    func `a link file is there at once`(_ name: String) async throws {
        let server = try await Self.start()
        let url = "\(server.url)/.well-known/\(name)"
        let answer = try await TestClient.send("GET", url)
        #expect(answer.status == 200)
        #expect(answer[.contentType] == "application/json")
        #expect(answer.text.contains("com.example.demo"))
        let tag = try #require(answer[.etag])
        #expect(try await TestClient.send("GET", url, fields: [Parameter("If-None-Match", tag)]).status == 304)
        await server.stop()
        let other = try await RunningServer.start([.query])
        #expect(try await TestClient.send("GET", "\(other.url)/.well-known/\(name)").status == 404)
        await other.stop()
    }

    /// The page opens the app by its scheme, and drops the link's parameters.
    @Test func `a return link in a browser is a page`() async throws {
        let server = try await Self.start()
        let page = try await TestClient.send(
            "GET", "\(server.url)/r/x?login=SECRET&proof=SECRET", fields: [Parameter("Accept-Language", "da")])
        #expect(page.status == 200)
        #expect(page.text.contains("href=\"com.example.demo:/\">Tilbage til Demo</a>"))
        #expect(!page.text.contains("SECRET"))
        #expect(!server.log.text.contains("SECRET"))
        await server.stop()
    }

    /// The button of the done page uses the scheme when the app asked for it and `proof_over_scheme` allows a proof
    /// there.
    @Test(arguments: ["tab", "auth_session"])
    func `the scheme leads back to the app too`(_ surface: String) async throws {
        let (server, app, browser) = try await Self.reportReturnByScheme(surface, ", proof_over_scheme: true")
        let link = try #require(browser.link ?? Self.button(of: browser))
        #expect(link.hasPrefix("com.example.demo:/?login="))
        #expect(try await app.reportReturn(["url": .string(link)]).json?["status"]?.string == "completed")
        await server.stop()
    }

    /// Any other app may have claimed the scheme, and any caller may have created the login, so no proof goes to the
    /// scheme automatically. The browser stays on the page, and the user types its code.
    @Test(arguments: ["tab", "auth_session"]) func `no proof travels over a scheme`(_ surface: String) async throws {
        let (server, app, browser) = try await Self.reportReturnByScheme(surface, "")
        #expect(browser.link == nil, "the browser is not sent to the scheme")
        let button = try #require(Self.button(of: browser))
        #expect(button.hasPrefix(surface == "tab" ? "https://link.example.com/r/?login=" : "com.example.demo:/"))
        #expect(button.contains("proof=") == (surface == "tab"))
        let waiting = try #require(try await app.poll(wait: 1).json)
        #expect(waiting["status"]?.string == "awaiting_return" && waiting["identity"] == nil)
        #expect(waiting["next"]?["action"]?.string == (surface == "tab" ? "show_browser" : "enter_code"))
        if surface == "auth_session" {
            #expect(try await app.reportReturn(["url": .string(button)]).json?["identity"] == nil)
        }
        let code = try #require(browser.code)
        #expect(try await app.reportReturn(["code": .string(code)]).json?["status"]?.string == "completed")
        await server.stop()
    }

    /// Runs a login for an app that asks for its scheme, until its page is shown.
    private static func reportReturnByScheme(
        _ surface: String, _ settings: String
    ) async throws -> (RunningServer, PhoneApp, ScriptedBrowser) {
        let server = try await RunningServer.start(
            [.query], release: "return_link", app: Self.app("https://link.example.com") + settings,
            link: "https://link.example.com")
        let app = PhoneApp(server.url)
        let created = try await app.create(
            BrokerVariant.query.name, ["callback": "scheme", "surface": .string(surface)])
        #expect(created.json?["return_prefixes"] == ["https://link.example.com/r/", "com.example.demo:/"])
        #expect(created.json?["next"]?["callback_scheme"]?.string == "com.example.demo")
        var browser = try await ScriptedBrowser(
            opening: try #require(created.nextURL), links: ["com.example.demo:/", "https://link.example.com/r/"])
        try await app.finish(&browser, .query)
        for _ in 0..<100 where try await app.poll().json?["status"]?.string != "awaiting_return" {
            _ = try await app.poll(wait: 1, etag: "W/\"2\"")
        }
        if browser.link == nil { try await browser.reload() }
        return (server, app, browser)
    }

    private static func button(of browser: ScriptedBrowser) -> String? {
        let match = browser.page.text.firstMatch(of: /class="button" href="([^"]+)"/)
        return match.map { ScriptedBrowser.unescaped(String($0.1)) }
    }
}
