import Foundation
import SwitchbackClient
import TestSupport

/// A scripted phone: the library that apps use with its file store, a browser, and a user who operates both.
///
/// `logIn` plays a user who does what the app says, to the end. A test that needs another order takes the steps itself:
/// `next`, `perform`, `approve`, `open`, `foreground`, `closeBrowser`, `minimiseBrowser`, `kill`, and at last
/// `outcome`.
package struct ScriptedPhone {
    package let server: String
    package let network = ScriptedNetwork()
    /// The saved logins.
    package let store: FileSavedLoginStore
    private let folder: URL
    private let dependencies: LoginClientDependencies
    package private(set) var client: LoginClient
    package private(set) var session: LoginSession?
    private var told = Mailbox<LoginState>()
    /// The login as the phone last saw it.
    package private(set) var login: Login?
    /// The action that the app must perform next and has not performed yet.
    package private(set) var action: NextAction?
    /// The browser in front of the app; nil when it was closed or never opened.
    package private(set) var browser: ScriptedBrowser?
    /// The cookies that outlive a closed window.
    private var cookies = CookieJar()
    /// Whether windows share cookies. When false, every window is a private one.
    package var keepsCookies = true
    /// Whether the user has approved at the broker.
    package private(set) var hasApproved = false
    /// Whether the app offers to continue or cancel.
    private var isPaused = false
    /// Whether links open the app. On some phones they stay in the browser.
    package var linksOpenTheApp = true
    /// When false, a browser session ends at the app's link, but the app is killed before it gets the link.
    package var linksReachTheApp = true

    /// With `isPatient` the phone sleeps in real time; otherwise a sleep only moves its clock.
    package init(_ server: String, isPatient: Bool = false) {
        self.server = server
        self.folder = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID().uuidString)")
        self.store = FileSavedLoginStore(folder: self.folder)
        var dependencies = LoginClientDependencies { [network] in try await network.send($0) }
        if !isPatient {
            let clock = PhoneClock()
            dependencies.now = clock.now
            dependencies.sleep = clock.sleep
        }
        self.dependencies = dependencies
        self.client = Self.client(server, self.store, dependencies)
    }

    private static func client(_ server: String, _ store: FileSavedLoginStore, _ dependencies: LoginClientDependencies)
        -> LoginClient
    {
        LoginClient(server: URL(string: server) ?? URL(filePath: "/"), store: store, dependencies: dependencies)
    }

    /// Starts a login, as when the user presses the button of this e-ID.
    package mutating func start(
        _ provider: String, platform: NewLogin.Platform? = .ios, surface: Surface? = .tab,
        _ more: (inout NewLogin) -> Void = { _ in }
    ) {
        var request = NewLogin(provider: provider, platform: platform, surface: surface)
        more(&request)
        self.listen(to: self.client.start(request))
    }

    private mutating func listen(to session: LoginSession) {
        let told = Mailbox<LoginState>()
        (self.session, self.told, self.login, self.action) = (session, told, nil, nil)
        self.isPaused = false
        let states = session.states
        Task { for await state in states { told.put(state) } }
    }

    /// Stops the library and deletes its files.
    package func stop() {
        self.client.stop()
        try? FileManager.default.removeItem(at: self.folder)
    }
}

// MARK: - Login states

extension ScriptedPhone {
    package struct NothingHappened: Error, CustomStringConvertible {
        package let description: String
    }

    /// Returns the first state that fits, or the final one if none fits before it.
    @discardableResult
    package mutating func hear(_ fits: (LoginState) -> Bool) async throws -> LoginState {
        while let state = await self.told.next() {
            self.login = state.login ?? self.login
            self.action = state.action ?? self.action
            self.isPaused = state.kind == .paused
            if fits(state) || state.isFinal { return state }
        }
        throw NothingHappened(description: "while the test waited, at \(self.login?.status.code ?? "the start")")
    }

    /// Returns the next action for the app; nil when the login ends first. A user whose browser is gone chooses to
    /// continue.
    package mutating func next() async throws -> NextAction? {
        while self.action == nil, self.login?.isFinal != true {
            if self.isPaused, self.browser == nil, !self.hasApproved {
                self.isPaused = false
                self.session?.openAgain()
            }
            if let error = try await self.hear({ _ in true }).error { throw error }
        }
        defer { self.action = nil }
        return self.login?.isFinal == true ? nil : self.action
    }

    /// Returns the login in its final state, and performs none of the remaining actions.
    package mutating func outcome() async throws -> Login {
        while try await self.next() != nil {}
        guard let login, login.isFinal else { throw NothingHappened(description: "no end") }
        return login
    }

    /// Logs in: the user does everything that the app asks for, to the end.
    package mutating func logIn() async throws -> Login {
        while let next = try await self.next() {
            try await self.perform(next)
            try await self.goAlong(with: next)
        }
        return try await self.outcome()
    }

    /// Rule 5, the end: acknowledges the result, and waits until the login has left the store.
    package mutating func keepResult() async throws {
        self.session?.acknowledge()
        for _ in 0..<3000 {
            if try await self.store.all().isEmpty { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NothingHappened(description: "the login stays in the store")
    }
}

// MARK: - What the app and the user do

extension ScriptedPhone {
    /// Rule 2, the app's part: opens what the action names.
    package mutating func perform(_ next: NextAction) async throws {
        if let opening = next.browser, next.kind == .openBrowser || self.browser == nil {
            try await self.openBrowser(opening.url)
        }
        // A link to an e-ID's app leads to a sandbox page that plays the app.
        if let link = next.app?.universalLink ?? next.app?.customScheme ?? next.app?.fallback {
            try await self.openBrowser(link)
        }
    }

    /// Rule 2, the user's part: takes the step that leads to a completed login.
    package mutating func goAlong(with next: NextAction) async throws {
        // The server may repeat the action while the broker's response is on its way. The page then shows nothing to
        // press.
        if next.kind == .resumeBrowser, self.hasApproved, self.browser?.form == nil { return }
        switch next.kind {
        case .openBrowser, .resumeBrowser, .openApp: try await self.approve()
        case .showBrowser: try await self.pressButton()
        case .enterCode: try await self.typeCode()
        default: break
        }
    }

    private mutating func openBrowser(_ url: String) async throws {
        let links = self.linksOpenTheApp ? self.login?.returnPrefixes ?? [] : []
        let browser = try await ScriptedBrowser(
            opening: url, links: links, cookies: self.keepsCookies ? self.cookies : CookieJar())
        await self.show(browser)
    }

    /// Shows the browser after the user's step, and opens the app if the step led to a link.
    private mutating func show(_ browser: ScriptedBrowser) async {
        self.browser = browser
        self.cookies = browser.cookies
        guard let link = browser.link else { return }
        // The link ends a session; a tab stays open behind the app.
        if self.session?.request.surface == .authSession { self.browser = nil }
        if self.linksReachTheApp { await self.open(link) }
    }

    /// Returns an error that names what was expected and what the page shows instead.
    private func nothing(_ what: String) -> NothingHappened {
        let page = self.browser.map { "\($0.page.status) \($0.page.text)" } ?? "no browser"
        return NothingHappened(description: "\(what) on \(page), \(self.login?.next as Any)")
    }

    private func current() throws -> ScriptedBrowser {
        guard let browser else { throw NothingHappened(description: "no browser is open") }
        return browser
    }

    /// Presses a button at the broker: `approve` or `cancel`.
    package mutating func press(_ button: String, fault: String = "", person: String = "freja") async throws {
        var browser = try self.current()
        try await browser.submit(["fault": fault, "person": person], button: button)
        // This page only forwards the broker's response.
        if browser.link == nil, browser.form?.buttons.isEmpty == true { try await browser.submit() }
        await self.show(browser)
    }

    /// Logs in at the broker.
    package mutating func approve(fault: String = "", person: String = "freja") async throws {
        while self.browser == nil, let next = try await self.next() { try await self.perform(next) }
        self.hasApproved = true
        try await self.press("approve", fault: fault, person: person)
    }

    /// Does everything that remains after the approval, to the end.
    package mutating func goOn() async throws {
        while let next = try await self.next() {
            try await self.perform(next)
            switch next.kind {
            // This session ended at the app's link, so the proof is already on its way.
            case .showBrowser where self.browser == nil && self.session?.request.surface == .authSession: break
            case .showBrowser where self.browser == nil, .enterCode where self.browser == nil:
                self.session?.openAgain()
            case .showBrowser, .enterCode: try await self.goAlong(with: next)
            // The done page is open again, because a session does not end at once.
            case .openBrowser where self.browser != nil && self.login?.page != nil: try await self.pressButton()
            default: break
            }
        }
    }

    /// Switches to another window that is still open.
    package mutating func use(_ window: ScriptedBrowser?) { self.browser = window }

    /// Presses the button of the done page.
    package mutating func pressButton() async throws {
        guard let link = try await self.read({ $0.button }) else { throw self.nothing("no button") }
        await self.open(link)
    }

    /// Types the six digits of the done page into the app. If a link came first, the page has a button instead, and the
    /// user presses that.
    package mutating func typeCode() async throws {
        guard let shown = try await self.read({ $0.code ?? $0.button }) else { throw self.nothing("no code") }
        guard shown.allSatisfy(\.isNumber) else {
            await self.open(shown)
            return
        }
        self.session?.enter(code: "\(shown.prefix(3)) \(shown.suffix(3))")
    }

    /// Reads from the page, and reloads it until the value is there: the server delays the page while it may change.
    package mutating func read(_ what: (ScriptedBrowser) -> String?) async throws -> String? {
        for _ in 0..<20 {
            var browser = try self.current()
            if let found = what(browser) { return found }
            try await browser.reload()
            self.browser = browser
        }
        return nil
    }

    /// Rule 3: the e-ID's app or the page's button opens the app with a link. Returns false when the link belongs to no
    /// login.
    @discardableResult
    package func open(_ link: String) async -> Bool { await self.client.open(link) }

    /// Rule 4: the app enters the foreground.
    package func foreground() { self.client.didEnterForeground() }

    package func background() { self.client.didEnterBackground() }

    /// Rule 5: reports that a session or tab is gone, perhaps because the user switched apps.
    package mutating func closeBrowser() {
        self.browser = nil
        self.session?.browserDidClose()
    }

    /// Reports the browser as closed although it is still there.
    package func minimiseBrowser() { self.session?.browserDidClose() }

    package func cancel() { self.session?.cancel() }

    /// Kills the app and relaunches it; `session` is nil when there is no login to resume. The browser stays open
    /// unless it is part of the app.
    package mutating func kill(withBrowser: Bool = false) async throws {
        self.client.stop()
        if withBrowser { self.browser = nil }
        self.client = Self.client(self.server, self.store, self.dependencies)
        self.session = nil
        if let session = try await self.client.resume().first { self.listen(to: session) }
    }
}
