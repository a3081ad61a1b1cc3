/// The settings of logins: their apps, their lifetimes and their limits.
package struct LoginSettings: Sendable {
    /// The settings of an app that concern its logins.
    package struct App: Sendable {
        /// The release policy of each provider that the app may use. It may start no login with any other provider.
        package let releases: [String: ReleasePolicy]
        /// The prefixes of links that open the app.
        package let returnPrefixes: [String]
        /// The return prefix on an origin of the app's own web pages. Nil if there is none.
        package var pagePrefix: String?
        /// How to make assertions for the app's API. Nil if the app gets none.
        package let assertion: AssertionTerms?
        /// Whether links with the app's custom scheme may carry a proof. Another app on the phone may have claimed the
        /// same scheme.
        package var provesOverScheme = false
        /// Whether a create must name the thumbprint of the key of its session.
        package var needsThumbprint = false
        /// How long a result waits for the same-device proof. The page can double it once.
        package var returnTimeout = Self.usualReturnTimeout

        package static let usualReturnTimeout = Login.returnTimeout
        /// In seconds. Slow readers need minutes, and nobody should find the page of somebody who has left.
        package static let (shortestReturnTimeout, longestReturnTimeout) = (60, 600)

        package init(releases: [String: ReleasePolicy], returnPrefixes: [String], assertion: AssertionTerms? = nil) {
            self.releases = releases
            self.returnPrefixes = returnPrefixes
            self.assertion = assertion
        }
    }

    /// Our public URL without a trailing slash.
    package let publicURL: String
    /// The prefix of the links that a browser opens first.
    let startURL: String
    package var apps: [String: App] = [:]
    package var lifetime = Duration.seconds(600)
    package var resultTTL = Duration.seconds(600)
    /// How long the note of what happened to a login is kept. Zero: there are no notes.
    package var noteLifetime = Duration.zero
    /// The most logins that may be pending at once.
    package var pendingLimit = 100_000
    /// The least time that a code may wait for its turn.
    static let shortestWait = Duration.seconds(5)
    /// The total time for the exchange of a code.
    package var exchangeDeadline = Duration.seconds(10)

    package init(publicURL: String) {
        self.publicURL = publicURL
        self.startURL = "\(publicURL)/go/"
    }
}
