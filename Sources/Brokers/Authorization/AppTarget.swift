import Base

/// How an app opens the e-ID's app.
package struct AppTarget: Equatable, Sendable {
    /// How long before its expiry a link counts as old, because the user has yet to see the button and press it.
    private static let margin = Duration.seconds(20)

    /// An https link that opens the e-ID's app.
    package var universalLink: String
    /// The same with a scheme of the e-ID's own, for phones on which the link opens a browser.
    package var customScheme: String?
    package var androidPackage: String?
    /// When the e-ID's app begins to refuse the link. Nil if it never does, or if the broker ends the login itself.
    package var expiresAt: Timestamp?
    /// Where to get the e-ID's app, and what to open in a browser if it is not installed. Not stored with the link.
    package var storeURL: String?
    package var fallback: String?

    package init(
        universalLink: String, customScheme: String? = nil, androidPackage: String? = nil, expiresAt: Timestamp? = nil
    ) {
        self.universalLink = universalLink
        self.customScheme = customScheme
        self.androidPackage = androidPackage
        self.expiresAt = expiresAt
    }

    /// Returns whether the e-ID's app refuses the link.
    package func isExpired(at now: Timestamp) -> Bool { self.expiresAt.map { now >= $0 } ?? false }

    /// Returns whether a user who is about to continue should get a new link.
    package func isOld(at now: Timestamp) -> Bool { self.isExpired(at: now + Self.margin) }
}
