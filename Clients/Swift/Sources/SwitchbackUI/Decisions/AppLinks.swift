import Foundation
import SwitchbackClient

/// The ways to open the e-ID's app, in the order in which to try them.
struct AppLinks: Hashable, Sendable {
    /// One link, and whether only an app may open it.
    struct Attempt: Hashable, Sendable {
        let url: URL
        /// A universal link must open the app, and not a browser.
        let isUniversalOnly: Bool
    }

    /// What opens the app itself.
    let attempts: [Attempt]
    /// The web page in its place, and the store's page: for a phone without the app.
    let fallbacks: [Attempt]

    init(_ launch: AppLaunch) {
        func url(_ text: String?) -> URL? { text.flatMap(URL.init(string:)) }
        self.attempts = [
            url(launch.universalLink).map { Attempt(url: $0, isUniversalOnly: true) },
            url(launch.customScheme).map { Attempt(url: $0, isUniversalOnly: false) },
        ].compactMap { $0 }
        self.fallbacks = [url(launch.fallback), url(launch.storeURL)].compactMap { $0 }
            .map { Attempt(url: $0, isUniversalOnly: false) }
    }
}
