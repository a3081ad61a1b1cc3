import Base
import Brokers
import StrictJSON

/// The create request of an app, parsed and checked for its form.
package struct LoginRequest: Equatable, Sendable {
    package var provider: String
    package var app: String
    package var platform: AuthorizationContext.Platform?
    /// The operating system that the browser runs on, for the platform `web`.
    package var os: String?
    /// Where the app opens links.
    package var surface: AuthorizationContext.Surface?
    package var eidAppInstalled: Bool?
    package var appSwitch = true
    /// A BCP 47 language tag, for the pages of the e-ID and ours.
    package var locale: String?
    /// The app's own nonce, which the assertion returns to its API.
    package var nonce: String?
    /// Authorize parameters that the provider lets the app set, sorted by name.
    package var parameters: [Parameter] = []
    package var callback: ReturnCallback?
    /// The thumbprint (RFC 7638) of the key that proves possession of the session after this login (RFC 9449 §10).
    package var dpopThumbprint: String?
    package var actions = KnownActions.usual
    /// The secret of a login of the same app that the user has left for this one. It changes nothing in either login.
    package var replaces: PollSecret?

    package init(provider: String, app: String) {
        self.provider = provider
        self.app = app
    }

    package static func == (a: Self, b: Self) -> Bool { a.canonical == b.canonical }

    /// Returns the same bytes for the same request, whatever the order of the app's JSON members.
    package var canonical: [UInt8] {
        var object = JSONObjectWriter()
        object.add("app", self.app)
        object.add("app_switch", self.appSwitch)
        object.add("provider", self.provider)
        if let isInstalled = self.eidAppInstalled { object.add("eid_app_installed", isInstalled) }
        if let platform = self.platform { object.add("platform", platform.rawValue) }
        if let os = self.os { object.add("os", os) }
        if let surface = self.surface { object.add("surface", surface.rawValue) }
        if let locale = self.locale { object.add("locale", locale) }
        if let nonce = self.nonce { object.add("nonce", nonce) }
        if let callback = self.callback { object.add("callback", callback.rawValue) }
        if let thumbprint = self.dpopThumbprint { object.add("dpop_jkt", thumbprint) }
        // A client that names the usual ones sends the same request as one that names none.
        if self.actions != .usual { object.add("actions", self.actions.names) }
        // The id is made from the secret and gives no right to anything.
        if let secret = self.replaces { object.add("replaces", secret.loginID.description) }
        let parameters = self.parameters.sorted { $0.name < $1.name }
        object.add("parameters", .array(parameters.map { .array([.string($0.name), .string($0.value)]) }))
        return object.finish()
    }
}

/// The kind of link through which the app wants to be opened.
package enum ReturnCallback: String, CaseIterable, Sendable {
    /// An https link, which the operating system gives to the app that the site names.
    case https
    /// A custom scheme of the app, which another app may claim too.
    case scheme
}
