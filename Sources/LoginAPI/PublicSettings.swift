/// What the public side of the server has to know besides the logins.
import Brokers
import Links

package struct PublicSettings: Sendable {
    /// Without a slash at its end.
    package let publicURL: String
    package var apps: [String: AppSurface] = [:]
    package var links = AppLinks()
    /// In the order in which they are listed.
    package var providers: [Provider] = []
    /// Nil when no key for assertions is configured.
    package var assertions: AssertionSigner?
    package var polling = LoginJSON.Polling()
    package var rates = RequestLimits.Rates()
    package var proxy = TrustedProxy()
    /// Of pages that may call the API.
    package var origins: Set<String> = []
    /// Between two comments in a stream of events: less than proxies wait for a byte.
    package var eventRhythm = Duration.seconds(15)

    /// The app of a request that names none: the one that is marked, or the only one.
    package var defaultApp: String? {
        self.apps.first { $0.value.isDefault }?.key ?? (self.apps.count == 1 ? self.apps.first?.key : nil)
    }

    package init(publicURL: String) { self.publicURL = publicURL }
}
