import EndToEndSupport

/// The browsers of one phone or computer. Each has cookies of its own, as docs/how-to/browsers.md lists them.
struct PhoneBrowsers: Sendable {
    enum Browser: Hashable, Sendable {
        /// Safari or Chrome, and whatever shares its cookies.
        case system
        /// A tab inside the app, which on iOS has its own cookies.
        case insideApp
        /// A private session: its cookies are gone with it.
        case session(Int)
        /// What the e-ID's app shows inside itself.
        case eIDApp
    }

    let platform: String
    private var jars: [Browser: CookieJar] = [:]
    private var windows: [Browser: ScriptedBrowser] = [:]
    private var sessions = 0

    init(platform: String) { self.platform = platform }

    /// Returns the browser that this surface is, with the cookies that it has.
    mutating func browser(of surface: String?, isPrivate: Bool) -> Browser {
        guard self.platform != "web" else { return .system }
        if surface == "auth_session", isPrivate {
            self.sessions += 1
            return .session(self.sessions)
        }
        return surface == "tab" && self.platform == "ios" ? .insideApp : .system
    }

    /// The browser's window; nil if it is closed.
    subscript(_ browser: Browser) -> ScriptedBrowser? {
        get { self.windows[browser] }
        set {
            self.windows[browser] = newValue
            if let newValue { self.jars[browser] = newValue.cookies }
        }
    }

    /// Opens the URL in a window of this browser. `links` are prefixes of links that open an app.
    mutating func open(_ url: String, in browser: Browser, links: [String]) async throws {
        self[browser] = try await ScriptedBrowser(
            opening: url, links: links, cookies: self.jars[browser] ?? CookieJar())
    }
}
