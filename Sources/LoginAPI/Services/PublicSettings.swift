import Brokers
import Links
import Sessions

/// The settings of the public side of the server, besides those of logins.
package struct PublicSettings: Sendable {
    /// Without a final slash.
    package let publicURL: String
    package var apps: [String: AppProfile] = [:]
    package var links = AppLinks()
    /// Nil if none is configured.
    package var security: SecurityContacts?
    /// In the order of the configuration.
    package var providers: [Provider] = []
    /// What a login with each provider may become at most. A provider that is not in it allows one access token.
    package var sessionLevels: [String: SessionLevel] = [:]
    /// The providers whose e-ID's scheme has agreed that a login may become a session.
    package var sessionPermissions: Set<String> = []
    /// Nil if no key for assertions is configured.
    package var assertions: AssertionSigner?
    package var polling = LoginJSON.Polling()
    package var rates = RequestLimits.Rates()
    package var proxy = TrustedProxy()
    /// The origins of pages that may call the API.
    package var origins: Set<String> = []
    /// The time between two comments in an event stream: less than proxies wait for a byte.
    package var eventRhythm = Duration.seconds(15)

    /// The app for a request that names none: the one marked as default, or the only one.
    package var defaultApp: String? {
        self.apps.first { $0.value.isDefault }?.key ?? (self.apps.count == 1 ? self.apps.first?.key : nil)
    }

    package init(publicURL: String) { self.publicURL = publicURL }
}
