import EndToEndSupport
import Sandbox
import SwitchbackClient
import TestSupport
import Testing

/// Whole logins with the library that apps use, against the running server.
@Suite struct ClientLoginTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let variant: BrokerVariant
        let surface: Surface
        let release: String
        let proof: String

        var testDescription: String { "\(self.variant.testDescription) \(self.surface) \(self.release)" }
    }

    static let rows: [Row] = [BrokerVariant.query, .formPost, .app].flatMap { variant in
        Surface.allCases.flatMap { surface in
            ["immediate", "return_link", "code"].compactMap { release in
                let isByApp = variant.callback == "app"
                // The broker's response goes to the app, so there is no page to read a code from.
                if isByApp, release == "code" { return nil }
                let byLink = isByApp ? "callback_link" : "page_link"
                let proof = ["immediate": "none", "return_link": byLink, "code": "page_code"][release] ?? ""
                return Row(variant: variant, surface: surface, release: release, proof: proof)
            }
        }
    }

    /// Sources: K10.
    @Test(arguments: TestTier.few(rows, oneOf: 2)) func `a login completes with the library`(_ row: Row) async throws {
        let server = try await RunningServer.start([row.variant], release: row.release)
        var phone = ScriptedPhone(server.url)
        phone.start(row.variant.name, surface: row.surface) { $0.nonce = "ours" }
        let login: Login
        do { login = try await phone.logIn() } catch {
            let page = phone.browser?.page.text.suffix(600) ?? "no page"
            Issue.record("\(error), with \(page)\n\(server.log.text.suffix(3000))")
            return
        }
        #expect(login.status == .completed, "\(server.log.text.suffix(600))")
        #expect(login.identity?.givenName == "Freja")
        #expect(login.assertion?.exposed.split(separator: ".").count == 3)
        #expect(login.proof == row.proof)
        try await phone.keepResult()
        #expect(phone.network.count(of: .create) == 1)
        #expect(phone.network.count(of: .acknowledge) == 1)
        phone.stop()
        await server.stop()
    }

    // MARK: - Lost requests

    struct Ride: Sendable, CustomTestStringConvertible {
        let call: ScriptedNetwork.Call
        let fault: ScriptedNetwork.Fault
        var testDescription: String { "\(self.call) \(self.fault)" }
    }

    static let rides = ScriptedNetwork.Call.allCases.flatMap { call in
        ScriptedNetwork.Fault.allCases.map { Ride(call: call, fault: $0) }
    }

    /// Loses each request three times, on the way there or back: there is still only one login.
    @Test(arguments: TestTier.few(rides, oneOf: 2)) func `a login survives three losses of each request`(_ ride: Ride)
        async throws
    {
        let server = try await RunningServer.start([.query], release: "return_link")
        var phone = ScriptedPhone(server.url)
        phone.network.meet(ride.fault, at: ride.call, times: 3)
        phone.start(BrokerVariant.query.name)
        if ride.call == .cancel {
            let next = try #require(try await phone.next())
            try await phone.perform(next)
            phone.cancel()
            #expect(try await phone.outcome().reason?.code == .appCancelled)
        } else {
            #expect(try await phone.logIn().proof == "page_link")
            #expect(server.sandbox.count(of: .token) == 1)
        }
        try await phone.keepResult()
        #expect(phone.network.isCalm)
        phone.stop()
        await server.stop()
    }

    // MARK: - The app is killed

    enum Step: CaseIterable, Sendable {
        case started, told, browserOpened, approved, waitingForReturn, cameBack, ended
    }

    /// On iOS a browser that belongs to the app is killed with it. The tests below kill it after the user has logged in
    /// there.
    static let kills: [(step: Step, withBrowser: Bool)] =
        Step.allCases.map { ($0, false) } + [Step.told, .browserOpened, .cameBack, .ended].map { ($0, true) }

    /// Kills the app at each step: the login resumes where it was, and nothing is started twice.
    @Test(arguments: TestTier.few(kills, oneOf: 2))
    func `a killed app resumes where it was`(_ row: (step: Step, withBrowser: Bool))
        async throws
    {
        let server = try await RunningServer.start([.query], release: "return_link")
        var phone = ScriptedPhone(server.url)
        phone.start(BrokerVariant.query.name)
        try await Self.go(to: row.step, &phone)
        try await phone.kill(withBrowser: row.withBrowser)
        // The app reopens a browser only when the user asks for it.
        if phone.browser != nil, row.step == .browserOpened { try await phone.approve() }
        // The library cannot know whether the page is still open, so it asks for the page's code.
        let asksForCode = [.browserOpened, .approved, .waitingForReturn].contains(row.step)
        let login = try await phone.logIn()
        #expect(login.proof == "page_link" || asksForCode && login.proof == "page_code")
        try await phone.keepResult()
        #expect(server.sandbox.count(of: .token) == 1)
        phone.stop()
        await server.stop()
    }

    private static func go(to step: Step, _ phone: inout ScriptedPhone) async throws {
        // A reader begins with the present state, so the first one need not be `starting`.
        try await phone.hear { _ in true }
        if step == .started { return }
        let next = try #require(try await phone.next())
        if step == .told { return }
        try await phone.perform(next)
        if step == .browserOpened { return }
        try await phone.approve()
        if step == .approved { return }
        try await phone.hear { $0.login?.status == .awaitingReturn }
        if step == .waitingForReturn { return }
        if step == .cameBack { phone.network.meet(.requestLost, at: .reportReturn) }
        try await phone.pressButton()
        if step == .cameBack {
            // The library stores a link before it sends it.
            let network = phone.network
            #expect(try await eventually { network.count(of: .reportReturn) > 0 })
            return
        }
        _ = try await phone.outcome()
    }

    /// The page with the proof is gone with the app. The browser's cookie restores it.
    @Test(arguments: [Surface.tab, .authSession], ["return_link", "code"])
    func `a page that is gone with the app is restored by its cookie`(_ surface: Surface, _ release: String)
        async throws
    {
        let server = try await RunningServer.start([.query], release: release)
        var phone = ScriptedPhone(server.url)
        phone.linksReachTheApp = false
        phone.start(BrokerVariant.query.name, surface: surface)
        try await Self.go(to: .waitingForReturn, &phone)
        phone.linksReachTheApp = true
        try await phone.kill(withBrowser: true)
        #expect(try await phone.next() == .enterCode)
        phone.session?.openAgain()
        try await phone.perform(try #require(try await phone.next()))
        if release == "code" { try await phone.typeCode() } else if surface == .tab { try await phone.pressButton() }
        #expect(try await phone.outcome().proof == (release == "code" ? "page_code" : "page_link"))
        phone.stop()
        await server.stop()
    }

    /// A private window has no cookie: the result is never released, and the user must start a new login.
    @Test func `a private window that is gone with the app releases no result`() async throws {
        let server = try await RunningServer.start([.query], release: "return_link")
        var phone = ScriptedPhone(server.url)
        phone.keepsCookies = false
        phone.start(BrokerVariant.query.name)
        try await Self.go(to: .waitingForReturn, &phone)
        try await phone.kill(withBrowser: true)
        #expect(try await phone.next() == .enterCode)
        phone.session?.openAgain()
        try await phone.perform(try #require(try await phone.next()))
        #expect(phone.browser?.page.status == 409)
        #expect(phone.browser?.code == nil)
        #expect(phone.browser?.button == RunningServer.returnPrefix)
        server.clock.advance(by: .seconds(301))
        phone.background()
        phone.foreground()
        #expect(try await phone.outcome().status == .expired)
        phone.stop()
        await server.stop()
    }

    /// Kills the app after it says that the result is safe, before the server confirms it.
    @Test(arguments: [ScriptedNetwork.Fault.requestLost, .answerLost])
    func `an app that is killed while it acknowledges loses nothing`(_ fault: ScriptedNetwork.Fault) async throws {
        let server = try await RunningServer.start([.query])
        var phone = ScriptedPhone(server.url)
        phone.start(BrokerVariant.query.name)
        _ = try await phone.logIn()
        let record = try #require(try await phone.store.all().first)
        phone.network.meet(fault, at: .acknowledge)
        try await phone.keepResult()
        // As if the app had died before it removed the record from the store.
        try await phone.store.save(record)
        try await phone.kill()
        let error = await #expect(throws: LoginError.self) { try await phone.outcome() }
        #expect(error?.kind == .gone && error?.reference?.isEmpty == false)
        #expect(try await phone.store.all().isEmpty)
        phone.stop()
        await server.stop()
    }

    /// Kills the app before the result is safe: the result is the same at each start.
    @Test func `the result is there until it is safe`() async throws {
        let server = try await RunningServer.start([.query])
        var phone = ScriptedPhone(server.url)
        phone.start(BrokerVariant.query.name)
        let login = try await phone.logIn()
        for _ in 0..<3 {
            try await phone.kill()
            #expect(try await phone.outcome().identity == login.identity)
        }
        try await phone.keepResult()
        try await phone.kill()
        #expect(phone.session == nil)
        phone.stop()
        await server.stop()
    }
}
