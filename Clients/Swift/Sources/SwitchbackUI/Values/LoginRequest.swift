import Foundation
import SwitchbackClient

/// What the app wants from a login. Only the provider is needed.
public struct LoginRequest: Hashable, Sendable {
    /// The id of a provider in `/v1/providers`.
    public var provider: String
    /// The user's language as a BCP 47 tag. Nil means the phone's.
    public var locale: String?
    /// A nonce of the app or of its API. The assertion contains it.
    public var nonce: String?
    /// Authorize parameters. The provider's configuration must allow the app to set them.
    public var parameters: [String: String]?
    /// Whether the e-ID may switch to its app. Nil means yes.
    public var allowsAppSwitch: Bool?
    /// Whether the e-ID's app is installed, as `providers()` says. With false, an e-ID that also has a browser flow does
    /// not switch to its app. Nil means that it is unknown.
    public var isEIDAppInstalled: Bool?
    /// The kind of link that should open the app. Nil means https.
    public var callback: NewLogin.Callback?
    /// What to open the login in. Nil means the best that this version of iOS has.
    public var surface: Surface?

    /// Creates a request for a login with this provider. Set everything else afterwards.
    public init(_ provider: String) { self.provider = provider }

    /// Creates a request for a login with one of `providers()`, which says whether the e-ID's app is installed.
    public init(_ provider: EIDProvider) {
        self.provider = provider.id
        self.isEIDAppInstalled = provider.isEIDAppInstalled
    }
}

extension LoginRequest {
    /// What the client sends. `surface` is for a request that names none.
    func newLogin(app: String, surface: Surface, language: String?) -> NewLogin {
        var login = NewLogin(
            provider: self.provider, platform: .ios, surface: self.surface ?? surface, locale: self.locale ?? language)
        login.app = app
        login.nonce = self.nonce
        login.parameters = self.parameters
        login.allowsAppSwitch = self.allowsAppSwitch
        login.isEIDAppInstalled = self.isEIDAppInstalled
        login.callback = self.callback
        return login
    }

    /// Whether a login that is under way was started for this request. What the phone chose by itself does not count.
    func isSame(as login: NewLogin) -> Bool {
        self.provider == login.provider && self.nonce == login.nonce && self.parameters == login.parameters
            && self.allowsAppSwitch == login.allowsAppSwitch && self.callback == login.callback
            && (self.isEIDAppInstalled == nil || self.isEIDAppInstalled == login.isEIDAppInstalled)
            && (self.locale == nil || self.locale == login.locale)
            && (self.surface == nil || self.surface == login.surface)
    }
}
