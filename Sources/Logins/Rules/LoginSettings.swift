/// What the configuration says of logins: their apps, their times, and how many there may be.
package struct LoginSettings: Sendable {
    /// What an app has to do with its logins.
    package struct App: Sendable {
        /// The rule of each provider that it has. It starts no login with any other.
        package let releases: [String: Release]
        /// Links that open the app.
        package let returnPrefixes: [String]
        /// How its assertions are made; nil where it gets none.
        package let assertion: AssertionTerms?
        /// Whether links of its own scheme may carry a proof. Another app on the phone may have claimed the scheme too.
        package var provesOverScheme = false

        package init(releases: [String: Release], returnPrefixes: [String], assertion: AssertionTerms? = nil) {
            self.releases = releases
            self.returnPrefixes = returnPrefixes
            self.assertion = assertion
        }
    }

    /// Without a slash at its end.
    package let publicURL: String
    /// How links begin that a browser opens first.
    let startURL: String
    package var apps: [String: App] = [:]
    package var lifetime = Duration.seconds(600)
    package var resultTTL = Duration.seconds(600)
    /// How many logins may be pending at once.
    package var pendingLimit = 100_000
    /// How long redeeming a code may take in all.
    package var exchangeDeadline = Duration.seconds(10)

    package init(publicURL: String) {
        self.publicURL = publicURL
        self.startURL = "\(publicURL)/go/"
    }
}
