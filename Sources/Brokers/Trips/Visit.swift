/// From where somebody goes to a broker, as far as brokers want to know it.
import Base

package struct Visit: Equatable, Sendable {
    /// What the app is.
    package enum Platform: String, CaseIterable, Sendable {
        case ios
        case android
        case web
    }

    /// In what an app opens a link.
    package enum Surface: String, CaseIterable, Sendable {
        /// The system's own session for logins, which ends at a link of the app.
        case authSession = "auth_session"
        /// A browser's tab inside the app.
        case tab
        /// The person's browser.
        case system
    }

    /// Nil when the app did not say.
    package var platform: Platform?
    /// For `web`: the system on which the browser runs.
    package var system: String?
    /// Whether the broker's answer goes to a link that opens the app.
    package var redirectsToApp = false
    /// False when the e-ID is on another device.
    package var switchesApps = true
    /// Language tags, the best first.
    package var languages: [String] = []
    /// An https link that opens the app, to which the e-ID's own app returns.
    package var returnURL: String?
    /// The same link with a proof in it, for brokers that take it as it comes. Nil where there is no proof.
    package var switchURL: String?
    /// The device's, as this server sees it.
    package var address: String?
    /// What the app set itself, as far as the provider allows it.
    package var parameters: [Parameter] = []

    package init() {}

    /// The system of the phone on which an app can be opened: the app's own, or that of the browser around a web page.
    package var phone: Platform? {
        guard self.platform == .web else { return self.platform }
        let system = self.system.flatMap(Platform.init)
        return system == .web ? nil : system
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.platform == other.platform && one.system == other.system && one.redirectsToApp == other.redirectsToApp
            && one.switchesApps == other.switchesApps && one.languages == other.languages
            && one.returnURL == other.returnURL && one.address == other.address
            && one.switchURL == other.switchURL
            && one.parameters.elementsEqual(other.parameters, by: ==)
    }
}
