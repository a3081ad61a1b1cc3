import EndToEndSupport
import Sandbox
import SwitchbackClient
import TestSupport
import Testing

/// Returns to the app: early, late and foreign links, codes, closed browsers and cancelled logins.
@Suite struct ClientReturnTests {
    /// Starts a login and opens the broker's page.
    private static func begin(
        _ server: RunningServer, _ variant: BrokerVariant = .query, surface: Surface = .tab,
        platform: NewLogin.Platform = .ios
    ) async throws -> ScriptedPhone {
        var phone = ScriptedPhone(server.url)
        phone.start(variant.name, platform: platform, surface: surface)
        try await phone.perform(try #require(try await phone.next()))
        return phone
    }

    // MARK: - Links

    /// The user presses the button before the broker's token response arrives.
    @Test func `the button may come before the outcome`() async throws {
        let server = try await RunningServer.start([.query], release: "return_link")
        var phone = try await Self.begin(server)
        server.sandbox.pauseTokenEndpoint()
        try await phone.approve()
        try await server.sandbox.waitForHeldTokenRequests()
        try await phone.pressButton()
        try await phone.hear { $0.login?.status == .exchanging }
        server.sandbox.resumeTokenEndpoint()
        #expect(try await phone.outcome().proof == "page_link")
        phone.stop()
        await server.stop()
    }

    /// The e-ID's app opens ours before the browser has the broker's response, so the browser must continue.
    ///
    /// Sources: E23.
    @Test(arguments: [false, true]) func `the link may come before the callback`(_ isGone: Bool) async throws {
        let server = try await Self.startVipps()
        var phone = try await Self.begin(server, Self.vipps)
        let link = try #require(phone.browser?.reportReturn)
        if isGone { try await phone.kill(withBrowser: true) }
        #expect(await phone.open(link))
        var login: Login?
        while let next = try await phone.next() {
            if next.kind == .openBrowser { continue }
            if login == nil {
                guard next.kind == .resumeBrowser else {
                    Issue.record("\(next)")
                    break
                }
            }
            login = phone.login
            try await phone.perform(next)
            try await phone.goAlong(with: next)
        }
        #expect(try await phone.outcome().proof == "switch_link")
        phone.stop()
        await server.stop()
    }

    /// A private window lacks the cookie of the window that started the attempt, so Vipps does not continue there.
    @Test func `a private window cannot go on`() async throws {
        let server = try await Self.startVipps()
        var phone = try await Self.begin(server, Self.vipps)
        let link = try #require(phone.browser?.reportReturn)
        phone.keepsCookies = false
        try await phone.kill(withBrowser: true)
        #expect(await phone.open(link))
        while let next = try await phone.next() {
            guard next.kind == .resumeBrowser else { continue }
            try await phone.perform(next)
            break
        }
        #expect(phone.browser?.page.text.contains("begun in another browser") == true)
        #expect(phone.login?.status == .pending)
        phone.cancel()
        #expect(try await phone.outcome().reason?.code == .appCancelled)
        phone.stop()
        await server.stop()
    }

    private static let vipps = BrokerVariant(kind: "vipps")

    private static func startVipps() async throws -> RunningServer {
        try await RunningServer.start(
            [Self.vipps], providers: ", prompt: login, countries: [NO], scope: [openid, name]", release: "return_link",
            system: .vipps)
    }

    /// A return link without a proof proves nothing and does no harm.
    @Test func `a link without a proof proves nothing`() async throws {
        let server = try await RunningServer.start([.query], release: "return_link")
        var phone = try await Self.begin(server)
        #expect(await phone.open(RunningServer.returnPrefix))
        #expect(await phone.open(RunningServer.returnPrefix + "?login=x&proof=y"))
        #expect(await phone.open("https://app.example/elsewhere") == false)
        #expect(await phone.open("https://app.example") == false)
        try await phone.approve()
        #expect(try await phone.logIn().status == .completed)
        try await phone.keepResult()
        #expect(await phone.open(RunningServer.returnPrefix) == false, "no saved login is left for it")
        phone.stop()
        await server.stop()
    }

    /// Two logins have the same prefixes: the server knows which login the link belongs to.
    @Test func `a link of another login finds its own login`() async throws {
        let server = try await RunningServer.start([.query], release: "return_link")
        var (one, other) = (try await Self.begin(server), try await Self.begin(server))
        try await one.approve()
        let link = try #require(try await one.read { $0.button })
        #expect(await other.open(link))
        try await other.approve()
        #expect(try await other.logIn().status == .completed)
        #expect(await one.open(link))
        #expect(try await one.outcome().status == .completed)
        one.stop()
        other.stop()
        await server.stop()
    }

    /// On this phone links stay in the browser, so it uses the ordinary callback and then shows the code.
    @Test(arguments: [BrokerVariant.query, .app])
    func `links that stay in the browser lead to the code`(_ variant: BrokerVariant) async throws {
        let server = try await RunningServer.start([variant], release: "return_link")
        var phone = ScriptedPhone(server.url)
        phone.linksOpenTheApp = false
        phone.start(variant.name)
        try await phone.perform(try #require(try await phone.next()))
        try await phone.approve()
        #expect(try await phone.next() == .showBrowser)
        try await phone.typeCode()
        #expect(try await phone.outcome().proof == "page_code")
        phone.stop()
        await server.stop()
    }

    // MARK: - Codes

    @Test func `the right code counts after wrong ones`() async throws {
        let server = try await RunningServer.start([.query], release: "code")
        var phone = try await Self.begin(server)
        try await phone.approve()
        #expect(try await phone.next() == .enterCode)
        let code = try #require(try await phone.read { $0.code })
        for left in [2, 1] {
            phone.session?.enter(code: code == "000000" ? "000001" : "000000")
            let state = try await phone.hear { $0.kind == .wrongCode }
            try #require(state.triesLeft == left, "\(state)")
        }
        phone.session?.enter(code: code)
        #expect(try await phone.outcome().proof == "page_code")
        phone.stop()
        await server.stop()
    }

    /// A user who has read the code closes the browser to type it: that does not cancel the login.
    @Test(arguments: ["return_link", "code"])
    func `a browser that is closed over the code cancels nothing`(_ release: String) async throws {
        let server = try await RunningServer.start([.query], release: release)
        var phone = try await Self.begin(server)
        try await phone.approve()
        try await phone.hear { $0.login?.status == .awaitingReturn }
        let code = try #require(try await phone.read { $0.code })
        phone.closeBrowser()
        try await phone.hear { $0.action == .enterCode }
        phone.session?.enter(code: code)
        #expect(try await phone.outcome().proof == "page_code")
        #expect(phone.network.count(of: .cancel) == 0)
        phone.stop()
        await server.stop()
    }

    // MARK: - Cancelling

    /// Closing the browser ends nothing; only the user's own cancel does.
    @Test(arguments: Surface.allCases) func `a closed browser ends nothing`(_ surface: Surface) async throws {
        let server = try await RunningServer.start([.query], release: "return_link")
        var phone = try await Self.begin(server, surface: surface)
        for _ in 0..<3 {
            phone.closeBrowser()
            try await phone.hear { $0.kind == .paused }
        }
        #expect(phone.network.count(of: .cancel) == 0)
        phone.cancel()
        let login = try await phone.outcome()
        #expect(login.status == .cancelled)
        #expect(login.reason?.code == .appCancelled)
        phone.stop()
        await server.stop()
    }

    @Test func `a browser that is closed during the exchange changes nothing`() async throws {
        let server = try await RunningServer.start([.query])
        var phone = try await Self.begin(server)
        server.sandbox.pauseTokenEndpoint()
        try await phone.approve()
        try await server.sandbox.waitForHeldTokenRequests()
        phone.closeBrowser()
        let network = phone.network
        #expect(try await eventually { network.count(of: .reportReturn) > 0 })
        server.sandbox.resumeTokenEndpoint()
        #expect(try await phone.outcome().status == .completed)
        phone.stop()
        await server.stop()
    }

    @Test func `a user who says no at the broker cancels the login`() async throws {
        let server = try await RunningServer.start([.formPost], release: "return_link")
        var phone = try await Self.begin(server, .formPost)
        try await phone.press("cancel")
        let login = try await phone.outcome()
        #expect(login.status == .cancelled)
        #expect(login.reason?.code == .userCancelled)
        #expect(login.reason?.isRetryable == true)
        phone.stop()
        await server.stop()
    }

    @Test func `a login can be cancelled before it began`() async throws {
        let server = try await RunningServer.start([.query])
        var phone = ScriptedPhone(server.url)
        phone.start(BrokerVariant.query.name)
        phone.cancel()
        #expect(try await phone.next() == nil, "a cancelled login opens no browser")
        #expect(phone.login?.status == .cancelled)
        phone.stop()
        await server.stop()
    }

    @Test func `a login that nobody finishes expires`() async throws {
        let server = try await RunningServer.start([.query])
        var phone = try await Self.begin(server)
        phone.background()
        server.clock.advance(by: .seconds(601))
        phone.foreground()
        let login = try await phone.outcome()
        #expect(login.status == .expired)
        #expect(login.reason?.code == .timeout)
        // A day later the server has forgotten the login, and the library drops it too.
        server.clock.advance(by: .seconds(26 * 60 * 60))
        try await phone.keepResult()
        phone.stop()
        await server.stop()
    }

    /// The app sleeps for longer than the server keeps anything.
    @Test func `a login is gone after two days`() async throws {
        let server = try await RunningServer.start([.query])
        var phone = try await Self.begin(server)
        phone.background()
        server.clock.advance(by: .seconds(60 * 60 * 48))
        try await phone.kill()
        let state = try await phone.hear { $0.isFinal }
        let isGone = [.unknownLogin, .gone].contains(state.error?.kind)
        #expect(state.kind == .finished || isGone, "\(state)")
        phone.stop()
        await server.stop()
    }

    // MARK: - A server that refuses

    /// The limit is thirty logins at once, then one every two seconds.
    @Test func `a login beyond the limit is tried again`() async throws {
        let server = try await RunningServer.start(
            [.query], settings: "limits: {create_per_address_per_minute: 30}")
        // On a slow machine, a login may be allowed again before the phone asks.
        var phone = ScriptedPhone(server.url, isPatient: true)
        var heard = LoginState.starting
        while heard != .retrying(.rateLimited, nil) {
            while try await PhoneApp(server.url).create(BrokerVariant.query.name).status != 429 {}
            phone.stop()
            phone = ScriptedPhone(server.url, isPatient: true)
            phone.start(BrokerVariant.query.name)
            heard = try await phone.hear { $0 != .starting }
        }
        #expect(try await phone.logIn().status == .completed)
        phone.stop()
        await server.stop()
    }

    /// Creating this login calls the broker, which is down for a while.
    @Test func `a broker that cannot be reached is tried again`() async throws {
        let variant = BrokerVariant(requestStyle: "par")
        let server = try await RunningServer.start([variant], providers: ", authorize: direct")
        try server.sandbox.setFault("oidcc-client-test-discovery-issuer-mismatch", for: variant.name)
        var phone = ScriptedPhone(server.url)
        phone.start(variant.name)
        #expect(try await phone.hear { $0 != .starting } == .retrying(.serviceUnavailable, nil))
        try server.sandbox.setFault(nil, for: variant.name)
        server.clock.advance(by: .seconds(30))
        #expect(try await phone.logIn().status == .completed)
        phone.stop()
        await server.stop()
    }

    @Test func `what the server refuses fails the login`() async throws {
        let server = try await RunningServer.start([.query])
        var phone = ScriptedPhone(server.url)
        phone.start("nobody")
        let state = try await phone.hear { $0.isFinal }
        let problem = try #require(state.error?.problem, "\(state)")
        #expect(problem.code == "unknown_provider")
        #expect(problem.member == "provider")
        #expect(try await phone.store.all().isEmpty)
        phone.stop()
        await server.stop()
    }
}
