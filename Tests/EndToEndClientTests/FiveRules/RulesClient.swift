import EndToEndSupport
import StrictJSON
import TestSupport

/// An app that knows the five rules of docs/how-to/write-a-client.md and no broker, and the user who holds the phone.
struct RulesClient {
    /// What the user does.
    struct User: Sendable {
        /// Closes the browser while the e-ID's app is in front, or the phone does.
        var closesBrowser = false
        /// Where a wrong app continues a login, instead of where it began.
        var resumesIn: PhoneBrowsers.Browser?
        /// Ticks "Remember me".
        var wantsToBeRemembered = false
    }

    let app: PhoneApp
    var user: User
    var browsers: PhoneBrowsers
    private(set) var login: JSON = [:]
    /// Each `next` that the app has performed.
    private(set) var performed: [JSON] = []
    private var presented: String?
    /// The browser in which the login began.
    private(set) var browser: PhoneBrowsers.Browser?
    private var surface: String?
    /// Whether the user has approved.
    private var hasApproved = false

    init(_ server: String, on browsers: PhoneBrowsers, user: User = User()) {
        self.app = PhoneApp(server)
        self.browsers = browsers
        self.user = user
    }

    var isFinal: Bool { self.login["final"]?.bool == true }
    var actions: [String] { self.performed.compactMap { $0["action"]?.string } }
    private var prefixes: [String] { self.login["return_prefixes"]?.array?.compactMap(\.string) ?? [] }

    /// Rule 1.
    mutating func create(_ provider: RunningSandbox.Provider, surface: String?) async throws {
        var wishes: JSON.Object = ["app": .string(provider.app), "platform": .string(self.browsers.platform)]
        if let surface { wishes["surface"] = .string(surface) }
        if self.browsers.platform == "web", let system = provider.webSystems.first { wishes["os"] = .string(system) }
        self.surface = surface
        try self.take(try await self.app.create(provider.id, wishes))
    }

    /// Logs in to the end.
    mutating func finish() async throws {
        let deadline = Patience.end
        while !self.isFinal {
            guard ContinuousClock.now < deadline else {
                throw TestClient.Failure(description: "no end after \(self.actions): \(self.login)")
            }
            if try await !self.performNext() { try await self.poll() }
        }
    }

    /// Rule 4.
    private mutating func poll() async throws {
        let version = self.login["version"]?.integer ?? 0
        let answer = try await self.app.poll(wait: 5, etag: "W/\"\(version)\"")
        if answer.status != 304 { try self.take(answer) }
    }

    /// Rule 3, and rule 5 with null.
    private mutating func reportReturn(_ url: String?) async throws {
        try self.take(try await self.app.reportReturn(["url": url.map { .string($0) } ?? .null]))
    }

    private mutating func take(_ answer: Answer) throws {
        guard (200...201).contains(answer.status), let login = answer.json else {
            throw TestClient.Failure(description: "after \(self.actions): \(answer.status) \(answer.text)")
        }
        self.login = login
    }
}

// MARK: - Rule 2

extension RulesClient {
    /// Performs `next`, once. Returns false if there is nothing new.
    private mutating func performNext() async throws -> Bool {
        guard let next = self.login["next"], self.presented != Self.name(next) else { return false }
        self.presented = Self.name(next)
        self.performed.append(next)
        do {
            try await self.perform(next)
        } catch {
            self.presented = nil
            throw error
        }
        return true
    }

    private mutating func perform(_ next: JSON) async throws {
        switch next["action"]?.string {
        case "open_browser": try await self.openBrowser(next)
        case "resume_browser": try await self.resumeBrowser(next)
        case "open_app": try await self.openApp(next)
        case "show_browser": try await self.usePage()
        case "enter_code": try await self.typeCode(next)
        default: break
        }
    }

    /// What stays the same while the server says to do the same thing.
    private static func name(_ next: JSON) -> String {
        ["action", "url", "universal_link"].compactMap { next[$0]?.string }.joined(separator: " ")
    }

    private mutating func openBrowser(_ next: JSON) async throws {
        guard let url = next["url"]?.string else { return }
        let browser = self.named(by: next)
        self.browser = browser
        try await self.open(url, in: browser)
        try await self.useEID()
    }

    /// Opens the URL only if the window is gone, in the browser that had it.
    private mutating func resumeBrowser(_ next: JSON) async throws {
        guard let url = next["url"]?.string, let began = self.browser else { return }
        // A server that names no surfaces means the browser that began.
        let browser = self.user.resumesIn ?? (next["surfaces"] == nil ? began : self.named(by: next))
        if self.browsers[browser] == nil { try await self.open(url, in: browser) }
        try await self.approve(in: browser)
    }

    private mutating func named(by next: JSON) -> PhoneBrowsers.Browser {
        let fitting = next["surfaces"]?.array?.compactMap(\.string) ?? []
        let surface = self.surface.flatMap { fitting.contains($0) ? $0 : nil } ?? fitting.first
        return self.browsers.browser(of: surface, isPrivate: next["ephemeral"]?.bool == true)
    }

    /// A link to the e-ID's app leads to a sandbox page that plays the app.
    private mutating func openApp(_ next: JSON) async throws {
        let links = ["universal_link", "custom_scheme", "fallback", "store_url"]
        guard let link = links.lazy.compactMap({ next[$0]?.string }).first else { return }
        try await self.open(link, in: .eIDApp)
        try await self.approve(in: .eIDApp)
    }

    /// Without a page the user types nothing, and asks for the page again.
    private mutating func typeCode(_ next: JSON) async throws {
        guard let browser else { return }
        if self.browsers[browser] == nil, let url = next["url"]?.string {
            try await self.open(url, in: browser)
        }
        try await self.usePage()
    }

    /// Throws what the page says if it is an error.
    private mutating func open(_ url: String, in browser: PhoneBrowsers.Browser) async throws {
        try await self.browsers.open(url, in: browser, links: self.prefixes)
        guard let page = self.browsers[browser]?.page, page.status >= 400 else { return }
        self.browsers[browser] = nil
        throw TestClient.Failure(description: "\(self.actions) in \(browser): \(page.status) \(page.text)")
    }
}

// MARK: - The user

extension RulesClient {
    /// The user has the e-ID's page in the app's browser. If the e-ID has an app that switches, it returns to ours
    /// first.
    private mutating func useEID() async throws {
        guard let browser, let window = self.browsers[browser] else { return }
        if let link = window.link { return try await self.follow(link, from: browser) }
        guard window.form != nil else { return }
        guard !self.hasApproved, let link = window.reportReturn, !self.actions.dropLast().contains("open_browser")
        else {
            return try await self.approve(in: browser)
        }
        if self.user.closesBrowser { self.browsers[browser] = nil }
        try await self.reportReturn(link)
        guard self.login["next"]?["action"]?.string == "open_browser" else { return }
        // The app is in front. The user goes back to the browser, or presses "Continue" if it is gone.
        if self.user.closesBrowser {
            try await self.reportReturn(nil)
            self.presented = nil
        } else {
            try await self.approve(in: browser)
        }
    }

    /// Approves on the e-ID's page, wherever it is.
    private mutating func approve(in browser: PhoneBrowsers.Browser) async throws {
        guard var window = self.browsers[browser], window.form?.buttons.isEmpty == false else { return }
        let tick = self.user.wantsToBeRemembered ? ["remember": "yes"] : [:]
        try await window.submit(tick, button: "approve")
        // This page only forwards the broker's response.
        if window.link == nil, window.form?.buttons.isEmpty == true { try await window.submit() }
        self.hasApproved = true
        self.browsers[browser] = window
        if let link = window.link { return try await self.follow(link, from: browser) }
        guard browser == .eIDApp else { return }
        // Without a link of its own, the user goes back to the app by hand.
        let link = window.button.flatMap { button in self.prefixes.contains { button.hasPrefix($0) } ? button : nil }
        self.browsers[browser] = nil
        try await self.reportReturn(link)
    }

    /// A link has opened the app. A session ends with it.
    private mutating func follow(_ link: String, from browser: PhoneBrowsers.Browser) async throws {
        if self.surface == "auth_session" || browser == .eIDApp { self.browsers[browser] = nil }
        try await self.reportReturn(link)
    }

    /// Presses the button of the page after the login, or types its digits into the app.
    private mutating func usePage() async throws {
        guard let browser, var window = self.browsers[browser] else { return try await self.reportReturn(nil) }
        for _ in 0..<100 where window.button == nil && window.code == nil && window.link == nil {
            try await Task.sleep(for: .milliseconds(20))
            try await window.reload()
        }
        self.browsers[browser] = window
        if let link = window.link ?? window.button { return try await self.follow(link, from: browser) }
        guard let code = window.code else {
            throw TestClient.Failure(description: "neither button nor code: \(window.page.text)")
        }
        try self.take(try await self.app.reportReturn(["code": .string(code)]))
    }
}
