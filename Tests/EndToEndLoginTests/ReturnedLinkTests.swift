import EndToEndSupport
import Sandbox
import Testing

/// Links that open the app and are handed in: a login accepts its own links only.
@Suite struct ReturnedLinkTests {
    /// Sources: A33.
    @Test func `the redirect URI is a prefix of the login`() async throws {
        let server = try await RunningServer.start([.app, .query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.app.name)
        let redirectURI = "\(server.link)/callback/\(BrokerVariant.app.name)"
        #expect(created.json?["return_prefixes"] == [.string(redirectURI), .string(RunningServer.returnPrefix)])
        #expect(created.json?["next"]?["callback"]?.string == redirectURI, "it closes the auth session")
        let other = try await PhoneApp(server.url).create(BrokerVariant.query.name)
        #expect(other.json?["return_prefixes"] == [.string(RunningServer.returnPrefix)])
        await server.stop()
    }

    /// A state of another login, of another secret or of none changes no login.
    /// Sources: D25.
    @Test func `a state of another login is not ours`() async throws {
        let server = try await RunningServer.start([.app])
        let (victim, attacker) = (PhoneApp(server.url), PhoneApp(server.url))
        let created = try await victim.create(BrokerVariant.app.name)
        _ = try await attacker.create(BrokerVariant.app.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let link = try await browser.callback(of: .app).url
        let answer = try await attacker.reportReturn(["url": .string(link)])
        #expect(answer.status == 422)
        #expect(answer.json?["code"]?.string == "not_ours")
        for app in [victim, attacker] { #expect(try await app.poll().json?["version"]?.integer == 1) }
        #expect(server.sandbox.count(of: .token) == 0)

        #expect(try await victim.reportReturn(["url": .string(link)]).status == 200)
        #expect(try await victim.waitForEnd()["status"]?.string == "completed")
        #expect(try await attacker.poll().json?["status"]?.string == "pending")
        await server.stop()
    }

    /// The test replaces `{link}` and `{state}` in each row.
    static let notOurs = [
        "{link}?code=c", "{link}?code=c&state=", "{link}?code=c&state=x", "{link}?iss=i", "{link}?response=a.b.c",
        "{link}?error=access_denied", "{link}?resume_uri=https://id.example/", "{link}?login=x&proof=y",
        "{link}?code=c&state={state}&state={state}", "{link}?code=c&state=%zz",
        "{link}?code=c&state={state}&\(String(repeating: "a=1&", count: 80))state={state}",
        "{link}/?code=c&state={state}",
        "{link}x?code=c&state={state}", "{public}?code=c&state={state}", "https://somebody-else.example/r/",
        "https://app.example/rx", "https://app.example/r/?code=c", "https://app.example/r/?state=x&code=c",
        "https://app.example/r/?iss=i", "https://app.example/r/?response=a.b.c", "https://app.example/r/?state=%F8",
        "https://app.example/r/?state={state}&code=c", "https://app.example/r/?artefactId=a", "HTTPS://app.example/r/",
        "javascript:alert(1)", "",
    ]

    @Test(arguments: notOurs) func `a link that is not ours changes nothing`(_ text: String) async throws {
        let server = try await RunningServer.start([.app])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.app.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let right = try await browser.callback(of: .app).url
        let state = String(try #require(right.firstMatch(of: /[?&]state=([^&]+)/)?.1))
        let path = "/callback/\(BrokerVariant.app.name)"
        let link = text.replacing("{link}", with: server.link + path).replacing("{public}", with: server.url + path)
            .replacing("{state}", with: state)
        let answer = try await app.reportReturn(["url": .string(link)])
        #expect([400, 422].contains(answer.status), "\(answer.text)")
        #expect(try await app.poll().json?["version"]?.integer == 1)
        #expect(try await app.reportReturn(["url": .string(right)]).status == 200)
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    /// Our `state` shows that the response is ours, so it ends the login.
    @Test(arguments: [
        "code=%zz&state={state}", "code=c&state={state}&c%6Fde=%F8", "code=c&state={state}&iss=%zz",
        "code=c&state={state}&code=d",
    ])
    func `a damaged response ends its login`(_ query: String) async throws {
        let server = try await RunningServer.start([.app])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.app.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let right = try await browser.callback(of: .app).url
        let state = String(try #require(right.firstMatch(of: /[?&]state=([^&]+)/)?.1))
        let link = "\(server.link)/callback/\(BrokerVariant.app.name)?\(query.replacing("{state}", with: state))"
        let login = try #require(try await app.reportReturn(["url": .string(link)]).json)
        #expect(login["reason"]?["code"]?.string == "invalid_response")
        #expect(server.sandbox.count(of: .token) == 0)
        await server.stop()
    }

    /// A link to the app that carries nothing of ours is a return without a link. Anyone can
    /// open it, so it proves nothing and ends nothing.
    ///
    /// Sources: A14, B4.
    @Test(arguments: ["{link}", "{link}?", "{link}?utm_source=mail", "{link}?a=1&b=%zz", "https://app.example/r/?x=1"])
    func `a plain link is a return without a link`(_ text: String) async throws {
        let server = try await RunningServer.start([.app], release: "return_link")
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.app.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let right = try await browser.callback(of: .app).url
        let link = text.replacing("{link}", with: "\(server.link)/callback/\(BrokerVariant.app.name)")
        for _ in 0..<2 {
            let answer = try await app.reportReturn(["url": .string(link)])
            #expect(answer.status == 200)
            #expect(answer.json?["status"]?.string == "pending")
        }
        #expect(try await app.reportReturn(["url": .string(right)]).status == 200)
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "completed")
        #expect(login["proof"]?.string == "callback_link", "only the response proves something")
        await server.stop()
    }

    /// What nobody needs does not spoil the response in a link.
    @Test(arguments: ["x=%zz", "error_description=afbr%F8d", "hint=100%", String(repeating: "a=1&", count: 80)])
    func `a parameter that nobody needs spoils no link`(_ more: String) async throws {
        let server = try await RunningServer.start([.app])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.app.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let parts = try await browser.callback(of: .app).url.split(separator: "?", maxSplits: 1)
        let link = "\(parts[0])?\(more)&\(parts[1])"
        #expect(try await app.reportReturn(["url": .string(link)]).status == 200)
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    /// The link opened in a browser instead of the app: it is the ordinary callback, on the link's host.
    @Test func `a link that a browser opens is the ordinary callback`() async throws {
        let server = try await RunningServer.start([.app])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.app.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let callback = try await browser.callback(of: .app)
        #expect(callback.url.hasPrefix("\(server.link)/callback/"))
        try await browser.perform(callback)
        #expect(browser.url.hasPrefix("\(server.link)/done/"))
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    /// The part after `#` was meant for the app. Some providers add one.
    @Test func `a fragment is not looked at`() async throws {
        let server = try await RunningServer.start([.app])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.app.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let link = try await browser.callback(of: .app).url + "#_=_"
        #expect(try await app.reportReturn(["url": .string(link)]).status == 200)
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }
}
