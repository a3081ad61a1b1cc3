import Foundation
import SwitchbackClient

/// What `Switchback` needs to know about the server and the app.
public struct SwitchbackConfiguration: Sendable {
    /// The server's `public_url`.
    public var server: URL
    /// The app's name in the server's configuration.
    public var app: String
    /// Where logins and the session are stored.
    public var store = StoreKind.keychain(accessGroup: nil)
    /// What logins are opened in. Nil means the best that this version of iOS has.
    public var surface: Surface?
    /// Whether logins become sessions (`apps.*.session`), so that each login names this phone's key.
    public var hasSession = false
    /// Whether Apple attests the app for a session (`apps.*.attestation`).
    public var attestsApp = false
    /// The host of the app's https links, for `diagnose()`. Nil if the app has none.
    public var returnHost: String?
    /// The app's own scheme for links (`apps.*.return_scheme`), for `diagnose()`. Nil if the app has none.
    public var returnScheme: String?
    /// The texts of the screens. Nil means those of the phone's language.
    public var texts: ScreenTexts?
    /// The network and the clocks. Nil means those of the phone. Tests pass a server of their own.
    public var dependencies: LoginClientDependencies?
    /// Gets what the library does. No event has a secret.
    public var log: @Sendable (LogEvent) -> Void = { _ in }

    /// Creates a configuration. Set everything else afterwards.
    public init(server: URL, app: String) { (self.server, self.app) = (server, app) }
}
