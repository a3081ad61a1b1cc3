import Base

/// An authorization context: where the user comes from, as far as brokers need it.
package struct AuthorizationContext: Equatable, Sendable {
    /// The platform of the app.
    package enum Platform: String, CaseIterable, Sendable {
        case ios
        case android
        case web
    }

    /// What an app opens a link in.
    package enum Surface: String, CaseIterable, Sendable {
        /// The system's own session for logins, which ends at a link of the app.
        case authSession = "auth_session"
        /// A browser's tab inside the app.
        case tab
        /// The user's browser.
        case system
    }

    /// Nil when the app did not say.
    package var platform: Platform?
    /// For `web`: the operating system that the browser runs on.
    package var system: String?
    /// Whether the broker's response goes to a link that opens the app.
    package var redirectsToApp = false
    /// False if the e-ID is on another device.
    package var switchesApps = true
    /// Language tags, the best first.
    package var languages: [String] = []
    /// An https link that opens the app, to which the e-ID's own app returns.
    package var returnURL: String?
    /// The same link with a proof in it, for brokers that accept any link. Nil if there is no proof.
    package var switchURL: String?
    /// The device's IP address, as this server sees it.
    package var address: String?
    /// What the app set itself, as far as the provider allows it.
    package var parameters: [Parameter] = []

    package init() {}

    /// The system of the phone on which an app can be opened: the app's own, or that of the browser that shows the web
    /// page.
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
