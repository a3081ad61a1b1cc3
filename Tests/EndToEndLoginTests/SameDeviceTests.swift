import EndToEndSupport
import Sandbox
import Testing

/// Only the app on the device where the user logged in gets the result. The attacker knows everything that was ever
/// sent to the attacker's own app, and the victim does what the attacker asks.
@Suite struct SameDeviceTests {
    /// A user with a phone: our app, and the browser for the login.
    private struct Person {
        let app: PhoneApp
        var browser: ScriptedBrowser

        /// Opens a link of this user's app, or one that someone has sent.
        init(_ app: PhoneApp, opening url: String) async throws {
            self.app = app
            self.browser = try await ScriptedBrowser(opening: url)
        }

        mutating func approve(_ variant: BrokerVariant) async throws {
            try await self.app.finish(&self.browser, variant)
        }

        /// The link that the page's button would open.
        var link: String? {
            let match = self.browser.page.text.firstMatch(of: /class="button" href="([^"]+)"/)
            return match.map { ScriptedBrowser.unescaped(String($0.1)) }
        }

        var code: String? { self.browser.code }
    }

    private static func start(_ release: String) async throws -> RunningServer {
        try await RunningServer.start([.query, .formPost, .app], release: release)
    }

    private static func begin(_ server: RunningServer, _ variant: BrokerVariant) async throws -> (PhoneApp, String) {
        let app = PhoneApp(server.url)
        return (app, try #require(try await app.create(variant.name).nextURL))
    }

    /// Reloads the page until the login waits for its proof: the code exchange may finish later than the callback.
    private static func waiting(_ person: inout Person) async throws {
        for _ in 0..<100 {
            if try await person.app.poll().json?["status"]?.string == "awaiting_return" { break }
            _ = try await person.app.poll(wait: 1, etag: "W/\"2\"")
        }
        try await person.browser.reload()
    }

    // MARK: - One user, one phone

    /// Sources: D35, D42.
    @Test(arguments: [BrokerVariant.query, .formPost])
    func `the page's button completes the login`(_ variant: BrokerVariant) async throws {
        let server = try await Self.start("return_link")
        let (app, url) = try await Self.begin(server, variant)
        var person = try await Person(app, opening: url)
        try await person.approve(variant)
        try await Self.waiting(&person)
        let waiting = try #require(try await app.poll().json)
        #expect(waiting["status"]?.string == "awaiting_return")
        #expect(waiting["next"]?["action"]?.string == "show_browser")
        #expect(waiting["identity"] == nil)
        let link = try #require(person.link)
        #expect(link.hasPrefix(RunningServer.returnPrefix))

        let answer = try #require(try await app.reportReturn(["url": .string(link)]).json)
        #expect(answer["status"]?.string == "completed")
        #expect(answer["proof"]?.string == "page_link")
        #expect(answer["identity"]?["given_name"]?.string == "Freja")
        #expect(try await app.poll().json?["identity"] == answer["identity"])
        // Some apps handle the same link twice.
        #expect(try await app.reportReturn(["url": .string(link)]).json?["status"]?.string == "completed")
        await server.stop()
    }

    /// The user presses the button while the code exchange still runs.
    @Test func `the button may come before the outcome`() async throws {
        let server = try await Self.start("return_link")
        let (app, url) = try await Self.begin(server, .query)
        var person = try await Person(app, opening: url)
        server.sandbox.pauseTokenEndpoint()
        try await person.approve(.query)
        try await server.sandbox.waitForHeldTokenRequests()
        let link = try #require(person.link)
        #expect(try await app.reportReturn(["url": .string(link)]).json?["status"]?.string == "exchanging")
        server.sandbox.resumeTokenEndpoint()
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "completed")
        #expect(login["proof"]?.string == "page_link")
        await server.stop()
    }

    @Test func `the page's code completes the login`() async throws {
        let server = try await Self.start("code")
        let (app, url) = try await Self.begin(server, .query)
        var person = try await Person(app, opening: url)
        try await person.approve(.query)
        try await Self.waiting(&person)
        #expect(try await app.poll().json?["next"]?["action"]?.string == "enter_code")
        let code = try #require(person.code)
        #expect(person.link == RunningServer.returnPrefix, "the link proves nothing here")
        let typed = "\(code.prefix(3)) \(code.suffix(3))"
        let login = try #require(try await app.reportReturn(["code": .string(typed)]).json)
        #expect(login["status"]?.string == "completed")
        #expect(login["proof"]?.string == "page_code")
        await server.stop()
    }

    /// The code works when the button's link does not.
    @Test func `the code works in place of the button`() async throws {
        let server = try await Self.start("return_link")
        let (app, url) = try await Self.begin(server, .formPost)
        var person = try await Person(app, opening: url)
        try await person.approve(.formPost)
        try await Self.waiting(&person)
        let code = try #require(person.code)
        #expect(try await app.reportReturn(["code": .string(code)]).json?["proof"]?.string == "page_code")
        await server.stop()
    }

    /// The broker itself sends its response to the app.
    /// Sources: A34.
    @Test func `the broker's response in a link completes the login`() async throws {
        let server = try await Self.start("return_link")
        let (app, url) = try await Self.begin(server, .app)
        var person = try await Person(app, opening: url)
        try await person.approve(.app)
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "completed")
        #expect(login["proof"]?.string == "callback_link")
        await server.stop()
    }

    /// An auth session ends at the app's link without a button.
    @Test func `an auth session ends at the app's link`() async throws {
        let server = try await Self.start("return_link")
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name, ["surface": "auth_session"])
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let callback = try await browser.callback(of: .query)
        let link = try #require(try await ScriptedBrowser.send(callback)[.location])
        #expect(link.hasPrefix(RunningServer.returnPrefix))
        _ = try await app.reportReturn(["url": .string(link)])
        #expect(try await app.waitForEnd()["proof"]?.string == "page_link")
        await server.stop()
    }

    @Test func `three wrong codes use up the tries`() async throws {
        let server = try await Self.start("return_link")
        let (app, url) = try await Self.begin(server, .query)
        var person = try await Person(app, opening: url)
        try await person.approve(.query)
        try await Self.waiting(&person)
        let code = try #require(person.code)
        let wrong = code == "000000" ? "000001" : "000000"
        for left in [2, 1, 0, 0] {
            let answer = try await app.reportReturn(["code": .string(wrong)])
            #expect(answer.status == 422)
            #expect(answer.json?["code"]?.string == "wrong_code")
            #expect(answer.json?["tries_left"]?.integer == left)
        }
        #expect(try await app.reportReturn(["code": .string(code)]).status == 422, "too late")
        let link = try #require(person.link)
        #expect(try await app.reportReturn(["url": .string(link)]).json?["status"]?.string == "completed")
        await server.stop()
    }

    @Test func `a login whose user does not return expires`() async throws {
        let server = try await Self.start("return_link")
        let (app, url) = try await Self.begin(server, .query)
        var person = try await Person(app, opening: url)
        try await person.approve(.query)
        try await Self.waiting(&person)
        server.clock.advance(by: .seconds(301))
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "expired")
        #expect(login["identity"] == nil)
        let link = try #require(person.link)
        #expect(try await app.reportReturn(["url": .string(link)]).json?["status"]?.string == "expired")
        await server.stop()
    }

    // MARK: - An attacker and a victim

    enum Bait: String, CaseIterable, Sendable {
        /// The `/go` link, not opened yet.
        case start
        /// The broker's URL, after the attacker has opened the link.
        case authorizeURL
    }

    /// The victim logs in by the attacker's link, and presses the button with the app installed.
    @Test(arguments: Bait.allCases, [BrokerVariant.query, .formPost, .app])
    func `a forwarded link gives the attacker nothing`(_ bait: Bait, _ variant: BrokerVariant) async throws {
        let server = try await Self.start("return_link")
        let (attackers, url) = try await Self.begin(server, variant)
        var sent = url
        if bait == .authorizeURL {
            sent = try #require(try await TestClient.send("GET", url)[.location])
        }
        // The victim's own login is running too.
        let (victims, _) = try await Self.begin(server, variant)
        var victim = try await Person(victims, opening: sent)
        if variant.callback == "app" {
            let decision = try victim.browser.submission(button: "approve")
            let link = try #require(try await ScriptedBrowser.send(decision)[.location])
            let answer = try await victims.reportReturn(["url": .string(link)])
            #expect(answer.json?["code"]?.string == "not_ours")
        } else {
            try await victim.approve(variant)
            victim.browser = try await ScriptedBrowser(opening: victim.browser.url)
            _ = try await attackers.poll(wait: 2)
            try await victim.browser.reload()
            let link = try #require(victim.link)
            let answer = try await victims.reportReturn(["url": .string(link)])
            #expect(answer.json?["code"]?.string == "not_ours")
        }
        // The attacker has seen every response to the attacker's app, and guesses.
        let seen = try #require(try await attackers.poll().json)
        #expect(seen["identity"] == nil)
        for guess in [
            url, sent, RunningServer.returnPrefix, "\(RunningServer.returnPrefix)?login=\(attackers.id ?? "")&proof=x",
        ] {
            let answer = try await attackers.reportReturn(["url": .string(guess)])
            #expect(answer.json?["identity"] == nil)
        }
        for code in ["000000", "123456", "999999"] {
            #expect(try await attackers.reportReturn(["code": .string(code)]).json?["identity"] == nil)
        }
        server.clock.advance(by: .seconds(700))
        #expect(try await attackers.waitForEnd()["status"]?.string == "expired")
        #expect(try await victims.poll().json?["identity"] == nil)
        await server.stop()
    }

    /// The attacker hands the proof of the attacker's login to the victim's app.
    @Test func `the attacker's own proof is refused elsewhere`() async throws {
        let server = try await Self.start("return_link")
        let (attackers, url) = try await Self.begin(server, .query)
        var attacker = try await Person(attackers, opening: url)
        try await attacker.approve(.query)
        try await Self.waiting(&attacker)
        let (victims, _) = try await Self.begin(server, .query)
        let link = try #require(attacker.link)
        #expect(try await victims.reportReturn(["url": .string(link)]).json?["code"]?.string == "not_ours")
        let code = try #require(attacker.code)
        #expect(try await victims.reportReturn(["code": .string(code)]).status == 422)
        #expect(try await victims.poll().json?["status"]?.string == "pending")
        await server.stop()
    }

    /// The callback again, with the known state and another code, has no effect and gets a page that shows nothing of
    /// the login.
    @Test func `a callback with another code has no effect`() async throws {
        let server = try await Self.start("return_link")
        let (app, url) = try await Self.begin(server, .query)
        var person = try await Person(app, opening: url)
        let callback = try await person.browser.callback(of: .query)
        let first = try await ScriptedBrowser.send(callback)
        #expect(first[.location]?.hasPrefix("/done/") == true)
        let other = callback.url.replacing(/code=[^&]+/, with: "code=another")
        let second = try await TestClient.send("GET", other)
        #expect(second[.location] == "/done/continued")
        await server.stop()
    }

    /// A response to the app never contains a proof, the page's code or the page's address.
    @Test func `no response holds a proof`() async throws {
        let server = try await Self.start("return_link")
        let (app, url) = try await Self.begin(server, .query)
        var person = try await Person(app, opening: url)
        try await person.approve(.query)
        try await Self.waiting(&person)
        let proof = try #require(person.link?.split(separator: "proof=").last)
        let code = try #require(person.code)
        let page = try #require(person.browser.url.split(separator: "/").last)
        var told = try await app.poll().text + app.poll(wait: 1).text + app.reportReturn(["url": .null]).text
        told += try await app.cancel().text
        for secret in [String(proof), code, String(page)] { #expect(!told.contains(secret)) }
        #expect(!server.log.text.contains(proof))
        await server.stop()
    }
}
