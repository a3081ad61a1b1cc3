import Foundation

/// What to do now (rule 2).
///
/// An action that this version does not know reads as `wait`, and so does one whose URL cannot be parsed.
public enum NextAction: Hashable, Sendable {
    /// Open a browser.
    case openBrowser(BrowserLaunch)
    /// Bring the same browser to the front. Only if it is gone, open this in a browser of the same kind, because the
    /// broker knows it by its cookies.
    case resumeBrowser(BrowserLaunch)
    /// Bring the browser to the front, because the user has to press a button there. Offer a field for the page's code
    /// as well, and offer to show the page again (`openAgain`).
    case showBrowser
    /// Open the e-ID's app.
    case openApp(AppLaunch)
    /// Ask for the six digits on the page, and offer to show the page again (`openAgain`).
    case enterCode
    /// Do nothing; the login continues.
    case wait

    /// Whether a browser or an app has to be opened.
    var opensSomething: Bool {
        switch self {
        case .openBrowser, .openApp: true
        case .resumeBrowser, .showBrowser, .enterCode, .wait: false
        }
    }

    init(_ json: JSONValue?) {
        switch json?["action"]?.string.flatMap(Name.init(rawValue:)) {
        case .openBrowser?: self = json.flatMap(BrowserLaunch.init).map(NextAction.openBrowser) ?? .wait
        case .resumeBrowser?: self = json.flatMap(BrowserLaunch.init).map(NextAction.resumeBrowser) ?? .wait
        case .showBrowser?: self = .showBrowser
        case .openApp?: self = json.flatMap(AppLaunch.init).map(NextAction.openApp) ?? .wait
        case .enterCode?: self = .enterCode
        case nil: self = .wait
        }
    }

    /// The names of the actions in the API. An unknown name means `wait`, because a later server may send one.
    private enum Name: String {
        case openBrowser = "open_browser"
        case resumeBrowser = "resume_browser"
        case showBrowser = "show_browser"
        case openApp = "open_app"
        case enterCode = "enter_code"
    }
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
        self.surfaces = (json["surfaces"]?.strings ?? []).compactMap(Surface.init(rawValue:))
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

    init?(_ json: JSONValue) {
        func link(_ name: String) -> String? { json[name]?.string.flatMap { Self.isLink($0) ? $0 : nil } }
        self.universalLink = link("universal_link")
        self.customScheme = link("custom_scheme")
        self.androidPackage = json["android_package"]?.string
        self.storeURL = link("store_url")
        self.fallback = link("fallback")
        guard !self.name.isEmpty else { return nil }
    }

    /// Returns whether the app can make a URL of a text. The text itself is passed on as it came.
    static func isLink(_ text: String) -> Bool { URL(string: text)?.scheme?.isEmpty == false }

    /// Identifies this authorization start: the same links mean the same one.
    var name: String {
        self.universalLink ?? self.customScheme ?? self.androidPackage ?? self.storeURL ?? self.fallback ?? ""
    }
}

/// What an app opens links in.
public enum Surface: String, Codable, CaseIterable, Sendable {
    /// `ASWebAuthenticationSession`, or an Auth Tab.
    case authSession = "auth_session"
    /// `SFSafariViewController`, or a Custom Tab.
    case tab
    /// The system's browser.
    case system
}
