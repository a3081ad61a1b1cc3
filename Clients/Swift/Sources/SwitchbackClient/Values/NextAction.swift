import Foundation

/// What to do now (rule 2). Decide by `kind`.
///
/// An action that this version does not know reads as `wait`, and so does one whose URL cannot be parsed.
public struct NextAction: Hashable, Sendable {
    /// What kind of action it is. Treat one that you do not know as `wait`.
    public struct Kind: Coded {
        /// As in the API, such as `open_browser`.
        public let code: String

        /// Open a browser (`browser`).
        public static let openBrowser = Kind(code: "open_browser")
        /// Bring the same browser to the front. Only if it is gone, open `browser` in a browser of the same kind,
        /// because the broker knows it by its cookies.
        public static let resumeBrowser = Kind(code: "resume_browser")
        /// Bring the browser to the front, because the user has to press a button there. Offer a field for the page's
        /// code as well, and offer to show the page again (`openAgain`).
        public static let showBrowser = Kind(code: "show_browser")
        /// Open the e-ID's app (`app`).
        public static let openApp = Kind(code: "open_app")
        /// Ask for the six digits on the page, and offer to show the page again (`openAgain`).
        public static let enterCode = Kind(code: "enter_code")
        /// Do nothing; the login continues.
        public static let wait = Kind(code: "wait")
    }

    /// The same, for code that must know every action.
    enum Value: Hashable, Sendable {
        case openBrowser(BrowserLaunch)
        case resumeBrowser(BrowserLaunch)
        case showBrowser
        case openApp(AppLaunch)
        case enterCode
        case wait
    }

    let value: Value

    private init(_ value: Value) { self.value = value }

    /// The action without what it opens.
    public var kind: Kind {
        switch self.value {
        case .openBrowser: .openBrowser
        case .resumeBrowser: .resumeBrowser
        case .showBrowser: .showBrowser
        case .openApp: .openApp
        case .enterCode: .enterCode
        case .wait: .wait
        }
    }

    /// What to open in a browser; nil for other actions than `openBrowser` and `resumeBrowser`.
    public var browser: BrowserLaunch? {
        switch self.value {
        case .openBrowser(let launch), .resumeBrowser(let launch): launch
        case .showBrowser, .openApp, .enterCode, .wait: nil
        }
    }

    /// How to open the e-ID's app; nil for other actions than `openApp`.
    public var app: AppLaunch? {
        if case .openApp(let launch) = self.value { launch } else { nil }
    }

    /// The codes of the actions that this version knows, besides `wait`.
    static let names = [Kind.openBrowser, .resumeBrowser, .showBrowser, .openApp, .enterCode].map(\.code)

    /// Whether this is the same thing to do: a later response may only have less time for it.
    func isSame(as other: NextAction) -> Bool {
        self.kind == other.kind && self.browser == other.browser && self.app?.name == other.app?.name
    }

    /// Whether a browser or an app has to be opened.
    var opensSomething: Bool { [.openBrowser, .openApp].contains(self.kind) }

    init(_ json: JSONValue?) {
        let action: NextAction? =
            switch json?["action"]?.string.map(Kind.init) {
            case .openBrowser?: json.flatMap(BrowserLaunch.init).map(NextAction.openBrowser)
            case .resumeBrowser?: json.flatMap(BrowserLaunch.init).map(NextAction.resumeBrowser)
            case .showBrowser?: .showBrowser
            case .openApp?: json.flatMap(AppLaunch.init).map(NextAction.openApp)
            case .enterCode?: .enterCode
            default: nil
            }
        self = action ?? .wait
    }
}

extension NextAction {
    /// Returns the action that opens a browser.
    public static func openBrowser(_ launch: BrowserLaunch) -> NextAction { NextAction(.openBrowser(launch)) }

    /// Returns the action that brings the same browser to the front.
    public static func resumeBrowser(_ launch: BrowserLaunch) -> NextAction { NextAction(.resumeBrowser(launch)) }

    /// Bring the browser to the front.
    public static let showBrowser = NextAction(.showBrowser)

    /// Returns the action that opens the e-ID's app.
    public static func openApp(_ launch: AppLaunch) -> NextAction { NextAction(.openApp(launch)) }

    /// Ask for the six digits on the page.
    public static let enterCode = NextAction(.enterCode)
    /// Do nothing; the login continues.
    public static let wait = NextAction(.wait)
}

/// What to open in a browser, and in which one.
public struct BrowserLaunch: Hashable, Sendable {
    /// The URL to open.
    public let url: String
    /// What to open it in, the best first. Surfaces that this version does not know are left out.
    public let surfaces: [Surface]
    /// The https link that ends an auth session.
    public let callback: String?
    /// The scheme that ends an auth session.
    public let callbackScheme: String?
    /// Whether the auth session should share no cookies with the browser.
    public let isEphemeral: Bool
    /// The Android browsers that work, the best first; empty if all do.
    public let androidPackages: [String]

    init?(_ json: JSONValue) {
        guard let url = json["url"]?.string, AppLaunch.isLink(url) else { return nil }
        self.url = url
        self.surfaces = (json["surfaces"]?.strings ?? []).compactMap { Surface($0) }
        self.callback = json["callback"]?.string
        self.callbackScheme = json["callback_scheme"]?.string
        self.isEphemeral = json["ephemeral"]?.bool ?? false
        self.androidPackages = json["android_packages"]?.strings ?? []
    }
}

/// The ways to open the e-ID's app. Use the first one that works. A link that cannot be parsed is left out.
public struct AppLaunch: Hashable, Sendable {
    /// An https link that opens it.
    public let universalLink: String?
    /// A link with the app's own scheme.
    public let customScheme: String?
    /// The package name on Android.
    public let androidPackage: String?
    /// The store page of the app.
    public let storeURL: String?
    /// What to open in a browser if the app is not installed.
    public let fallback: String?
    /// How many seconds the links are good for, counted from the response; nil if the server does not say. Later, call
    /// `openAgain()` for new ones.
    public let expiresIn: Int?

    init?(_ json: JSONValue) {
        func link(_ name: String) -> String? { json[name]?.string.flatMap { Self.isLink($0) ? $0 : nil } }
        self.universalLink = link("universal_link")
        self.customScheme = link("custom_scheme")
        self.androidPackage = json["android_package"]?.string
        self.storeURL = link("store_url")
        self.fallback = link("fallback")
        self.expiresIn = json["expires_in"]?.integer.map { max($0, 0) }
        guard !self.name.isEmpty else { return nil }
    }

    /// Returns whether the app can make a URL of a text. The text itself is passed on as it came.
    static func isLink(_ text: String) -> Bool { URL(string: text)?.scheme?.isEmpty == false }

    /// Identifies this authorization start: the same links mean the same one.
    var name: String {
        self.universalLink ?? self.customScheme ?? self.androidPackage ?? self.storeURL ?? self.fallback ?? ""
    }
}
