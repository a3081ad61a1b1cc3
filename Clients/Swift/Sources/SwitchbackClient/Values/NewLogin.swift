/// What an app asks for when it starts a login.

/// `Public/openapi.yaml` says what each member means; nil leaves it out.
public struct NewLogin: Codable, Hashable, Sendable {
    /// One of `/v1/providers`.
    public var provider: String
    /// Which app this is; may be nil where the server knows one.
    public var app: String?
    /// `ios`, `android` or `web`.
    public var platform: Platform?
    /// For `web`: the system the browser runs on.
    public var os: String?
    /// What the app opens links in.
    public var surface: Surface?
    /// Whether the e-ID's app is there; nil: unknown.
    public var isEIDAppInstalled: Bool?
    /// Whether the e-ID may switch to its app; nil: it may.
    public var allowsAppSwitch: Bool?
    /// A BCP 47 tag.
    public var locale: String?
    /// The app's own, or its API's; the assertion carries it.
    public var nonce: String?
    /// Authorize parameters; only those that the provider is configured to let an app set.
    public var parameters: [String: String]?
    /// By which of its links the app wants to be opened.
    public var callback: Callback?

    /// A login with this e-ID. Everything else can be set afterwards.
    public init(provider: String, platform: Platform? = nil, surface: Surface? = nil, locale: String? = nil) {
        self.provider = provider
        self.platform = platform
        self.surface = surface
        self.locale = locale
    }

    /// What the app runs on.
    public enum Platform: String, Codable, CaseIterable, Sendable {
        /// An iPhone or iPad.
        case ios
        /// Android.
        case android
        /// A browser.
        case web
    }

    /// A kind of link to the app.
    public enum Callback: String, Codable, CaseIterable, Sendable {
        /// A universal link.
        case https
        /// A link with the app's own scheme.
        case scheme
    }

    enum CodingKeys: String, CodingKey {
        case provider, app, platform, os, surface, locale, nonce, parameters, callback
        case isEIDAppInstalled = "eid_app_installed"
        case allowsAppSwitch = "app_switch"
    }
}
