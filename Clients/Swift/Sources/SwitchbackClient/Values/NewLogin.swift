/// What an app requests when it starts a login.
///
/// `Public/openapi.yaml` documents each member. A member that is nil is left out.
public struct NewLogin: Codable, Hashable, Sendable {
    /// The id of a provider in `/v1/providers`.
    public var provider: String
    /// The id of this app. It may be nil if the server has only one app.
    public var app: String?
    /// `ios`, `android` or `web`.
    public var platform: Platform?
    /// For `web`: the operating system that the browser runs on.
    public var os: String?
    /// What the app opens links in.
    public var surface: Surface?
    /// Whether the e-ID's app is installed; nil if unknown.
    public var isEIDAppInstalled: Bool?
    /// Whether the e-ID may switch to its app; nil means yes.
    public var allowsAppSwitch: Bool?
    /// The user's language as a BCP 47 tag.
    public var locale: String?
    /// A nonce of the app or of its API. The assertion contains it.
    public var nonce: String?
    /// Authorize parameters. The provider's configuration must allow the app to set them.
    public var parameters: [String: String]?
    /// The kind of link that should open the app.
    public var callback: Callback?
    /// The thumbprint of the key that a session will be bound to. `SessionClient.prepare` sets it.
    public var dpopThumbprint: String?
    /// The actions that this version knows. A stored request keeps those of the version that made it.
    var actions: [String]? = NextAction.names
    /// The secret of the login that the user has left for this one. It is no member of what this type encodes: only
    /// `SavedLogin` and the create write secrets.
    var replaces: PollSecret?

    /// Creates a request for a login with this provider. Set everything else afterwards.
    public init(provider: String, platform: Platform? = nil, surface: Surface? = nil, locale: String? = nil) {
        self.provider = provider
        self.platform = platform
        self.surface = surface
        self.locale = locale
    }

    /// The platforms that an app runs on.
    public enum Platform: String, Codable, CaseIterable, Sendable {
        /// An iPhone or iPad.
        case ios
        /// Android.
        case android
        /// A browser.
        case web
    }

    /// The kinds of links to the app.
    public enum Callback: String, Codable, CaseIterable, Sendable {
        /// A universal link.
        case https
        /// A link with the app's own scheme.
        case scheme
    }

    enum CodingKeys: String, CodingKey {
        case provider, app, platform, os, surface, locale, nonce, parameters, callback, actions
        case isEIDAppInstalled = "eid_app_installed"
        case allowsAppSwitch = "app_switch"
        case dpopThumbprint = "dpop_jkt"
    }
}
