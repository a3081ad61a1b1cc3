/// A phone: the library that apps use, with its file store, a browser that presses buttons, and a person who has both.
///
/// `logIn` is a person who does what he is told, to the end. Whoever wants another order says it step by step: `next`,
/// `perform`, `approve`, `open`, `foreground`, `closeBrowser`, `minimiseBrowser`, `kill`, and at last `outcome`.
import Foundation
import SwitchbackClient
import TestSupport

struct ScriptedPhone {
    let server: String
    let network = ScriptedNetwork()
    /// Where the open logins are.
    let store: FileOpenLogins
    private let folder: URL
    private let surroundings: Surroundings
    private(set) var client: LoginClient
    private(set) var session: LoginSession?
    private var told = Mailbox<LoginState>()
    /// How it stands, as far as the phone was told.
    private(set) var login: Login?
    /// What the app was told to do and has not done.
    private(set) var todo: NextAction?
    /// What is on top of the app; nil when it was closed, or never opened.
    private(set) var browser: ScriptedBrowser?
    /// What the phone's browsers keep when a window is closed.
    private var cookies = CookieJar()
    /// False: every window is a private one.
    var keepsCookies = true
    /// Whether the person has said yes at the broker.
    private(set) var hasApproved = false
    /// The app offers to continue or to give up.
    private var isPaused = false
    /// False: links stay in the browser, as they do on some phones.
    var linksOpenTheApp = true
    /// False: a session ends at the app's link, and the app is killed before it hears of that.
    var linksReachTheApp = true

    /// `isPatient`: waits for as long as it is told to, and does not only move its clock.
    init(_ server: String, isPatient: Bool = false) {
        self.server = server
        self.folder = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID().uuidString)")
        self.store = FileOpenLogins(folder: self.folder)
        var surroundings = Surroundings { [network] in try await network.send($0) }
        if !isPatient {
            let clock = PhoneClock()
            surroundings.now = clock.now
            surroundings.sleep = clock.sleep
        }
        self.surroundings = surroundings
        self.client = Self.client(server, self.store, surroundings)
    }

    private static func client(_ server: String, _ store: FileOpenLogins, _ surroundings: Surroundings) -> LoginClient {
        LoginClient(server: URL(string: server) ?? URL(filePath: "/"), store: store, surroundings: surroundings)
    }

    /// The person presses the button of this e-ID.
    mutating func start(
        _ provider: String, platform: NewLogin.Platform? = .ios, surface: Surface? = .tab,
        _ more: (inout NewLogin) -> Void = { _ in }
    ) {
        var request = NewLogin(provider: provider, platform: platform, surface: surface)
        more(&request)
        self.listen(to: self.client.start(request))
    }

    private mutating func listen(to session: LoginSession) {
        let told = Mailbox<LoginState>()
        (self.session, self.told, self.login, self.todo) = (session, told, nil, nil)
        self.isPaused = false
        Task { for await state in session.states { told.put(state) } }
    }

    /// Puts the phone away.
    func stop() {
        self.client.stop()
        try? FileManager.default.removeItem(at: self.folder)
    }
}

// MARK: - What the app is told

extension ScriptedPhone {
    struct NothingHappened: Error, CustomStringConvertible {
        let description: String
    }

    /// The first state that fits, and the last of all if none did before.
    @discardableResult
    mutating func hear(_ fits: (LoginState) -> Bool) async throws -> LoginState {
        while let state = await self.told.next() {
            self.login = state.login ?? self.login
            if case .underWay(_, let todo?) = state { self.todo = todo }
            if case .paused = state { self.isPaused = true } else { self.isPaused = false }
            if fits(state) || state.isEnd { return state }
        }
        throw NothingHappened(description: "in half a minute, at \(self.login?.status.rawValue ?? "the start")")
    }

    /// The next thing that the app is told to do; nil when it ends before. A person whose browser is gone wants to continue.
    mutating func next() async throws -> NextAction? {
        while self.todo == nil, self.login?.isFinal != true {
            if self.isPaused, self.browser == nil, !self.hasApproved {
                self.isPaused = false
                self.session?.openAgain()
            }
            if case .failed(let error) = try await self.hear({ _ in true }) { throw error }
        }
        defer { self.todo = nil }
        return self.login?.isFinal == true ? nil : self.todo
    }

    /// How it ended; whatever there is to do before is left undone.
    mutating func outcome() async throws -> Login {
        while try await self.next() != nil {}
        guard let login, login.isFinal else { throw NothingHappened(description: "no end") }
        return login
    }

    /// A person who logs in, and does everything there is to do on the way, to the end.
    mutating func logIn() async throws -> Login {
        while let next = try await self.next() {
            try await self.perform(next)
            try await self.goAlong(with: next)
        }
        return try await self.outcome()
    }

    /// Rule 5, the end. Returns when the login is not in the store any more.
    mutating func keepResult() async throws {
        self.session?.resultIsSafe()
        for _ in 0..<3000 {
            if try await self.store.all().isEmpty { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NothingHappened(description: "the login stays in the store")
    }
}

// MARK: - What the app and the person do

extension ScriptedPhone {
    /// Rule 2, the app's part: what is to be opened is opened.
    mutating func perform(_ next: NextAction) async throws {
        switch next {
        case .openBrowser(let opening): try await self.openBrowser(opening.url)
        case .resumeBrowser(let url): if self.browser == nil { try await self.openBrowser(url) }
        case .openApp(let opening):
            // What would open an e-ID's app leads to a page of the sandbox that plays it.
            if let link = opening.universalLink ?? opening.customScheme ?? opening.fallback {
                try await self.openBrowser(link)
            }
        case .showBrowser, .enterCode, .wait: break
        }
    }

    /// Rule 2, the person's part, who wants to log in.
    mutating func goAlong(with next: NextAction) async throws {
        // The server can say it once more while the answer is under way. The page shows nothing to press by then.
        if case .resumeBrowser = next, self.hasApproved, self.browser?.form == nil { return }
        switch next {
        case .openBrowser, .resumeBrowser, .openApp: try await self.approve()
        case .showBrowser: try await self.pressButton()
        case .enterCode: try await self.typeCode()
        case .wait: break
        }
    }

    private mutating func openBrowser(_ url: String) async throws {
        let links = self.linksOpenTheApp ? self.login?.returnPrefixes ?? [] : []
        let browser = try await ScriptedBrowser(
            opening: url, links: links, cookies: self.keepsCookies ? self.cookies : CookieJar())
        await self.show(browser)
    }

    /// The browser has gone where the person sent it, perhaps to the app.
    private mutating func show(_ browser: ScriptedBrowser) async {
        self.browser = browser
        self.cookies = browser.cookies
        guard let link = browser.link else { return }
        // That is how a session ends; a tab stays behind the app.
        if self.session?.request.surface == .authSession { self.browser = nil }
        if self.linksReachTheApp { await self.open(link) }
    }

    /// What was looked for, and what stands there instead.
    private func nothing(_ what: String) -> NothingHappened {
        let page = self.browser.map { "\($0.page.status) \($0.page.text)" } ?? "no browser"
        return NothingHappened(description: "\(what) on \(page), \(self.login?.next as Any)")
    }

    private func current() throws -> ScriptedBrowser {
        guard let browser else { throw NothingHappened(description: "no browser is open") }
        return browser
    }

    /// At the broker, the person presses a button: `approve` or `cancel`.
    mutating func press(_ button: String, fault: String = "", person: String = "freja") async throws {
        var browser = try self.current()
        try await browser.submit(["fault": fault, "person": person], button: button)
        // A page that does nothing but send the broker's answer on.
        if browser.link == nil, browser.form?.buttons.isEmpty == true { try await browser.submit() }
        await self.show(browser)
    }

    /// The person logs in at the broker.
    mutating func approve(fault: String = "", person: String = "freja") async throws {
        while self.browser == nil, let next = try await self.next() { try await self.perform(next) }
        self.hasApproved = true
        try await self.press("approve", fault: fault, person: person)
    }

    /// What is left to do after that, to the end.
    mutating func goOn() async throws {
        while let next = try await self.next() {
            try await self.perform(next)
            switch next {
            // A session that has ended at the app's link: its proof is on the way.
            case .showBrowser where self.browser == nil && self.session?.request.surface == .authSession: break
            case .showBrowser where self.browser == nil, .enterCode where self.browser == nil:
                self.session?.openAgain()
            case .showBrowser, .enterCode: try await self.goAlong(with: next)
            // The page again, where a session does not end at once.
            case .openBrowser where self.browser != nil && self.login?.page != nil: try await self.pressButton()
            case .openBrowser, .resumeBrowser, .openApp, .wait: break
            }
        }
    }

    /// The person takes another window that is still there.
    mutating func use(_ window: ScriptedBrowser?) { self.browser = window }

    /// The person presses the button of the done page.
    mutating func pressButton() async throws {
        guard let link = try await self.read({ $0.button }) else { throw self.nothing("no button") }
        await self.open(link)
    }

    /// The person reads the six digits of the done page, and types them into the app. Where a link was faster, the page has
    /// a button in their place.
    mutating func typeCode() async throws {
        guard let shown = try await self.read({ $0.code ?? $0.button }) else { throw self.nothing("no code") }
        guard shown.allSatisfy(\.isNumber) else {
            await self.open(shown)
            return
        }
        self.session?.enter(code: "\(shown.prefix(3)) \(shown.suffix(3))")
    }

    /// What stands on the page now, or after some time: the page holds its answer while it may change.
    mutating func read(_ what: (ScriptedBrowser) -> String?) async throws -> String? {
        for _ in 0..<20 {
            var browser = try self.current()
            if let found = what(browser) { return found }
            try await browser.reload()
            self.browser = browser
        }
        return nil
    }

    /// Rule 3. The e-ID's app, or the page's button, opens the app by a link; false when it is nobody's.
    @discardableResult
    func open(_ link: String) async -> Bool { await self.client.open(link) }

    /// Rule 4.
    func foreground() { self.client.cameToForeground() }

    func background() { self.client.wentToBackground() }

    /// Rule 5. A session or tab is gone, perhaps because apps were switched.
    mutating func closeBrowser() {
        self.browser = nil
        self.session?.browserClosed()
    }

    /// The phone reports it as closed, and it is still there.
    func minimiseBrowser() { self.session?.browserClosed() }

    func cancel() { self.session?.cancel() }

    /// The system ends the app and the person starts it anew; `session` is nil when there was no login to go on with. The browser
    /// stays unless it was part of the app.
    mutating func kill(withBrowser: Bool = false) async throws {
        self.client.stop()
        if withBrowser { self.browser = nil }
        self.client = Self.client(self.server, self.store, self.surroundings)
        self.session = nil
        if let session = try await self.client.resume().first { self.listen(to: session) }
    }
}
