/// How an app opens the e-ID's app.
import Base

package struct AppTarget: Equatable, Sendable {
    /// How long before its time is up a link counts as old. The person has yet to see the button and press it.
    private static let margin = Duration.seconds(20)

    /// An https link that the e-ID's app answers to.
    package var universalLink: String
    /// The same by a scheme of the e-ID's own, for phones on which the link opens a browser.
    package var customScheme: String?
    package var androidPackage: String?
    /// When the e-ID's app begins to refuse the link. Nil where it never does, or the broker ends the login itself.
    package var expiresAt: Timestamp?
    /// Where the e-ID's app is to be had, and what to open in a browser where it is not there. Not kept with the link.
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

    /// Whether the e-ID's app refuses it.
    package func isExpired(at now: Timestamp) -> Bool { self.expiresAt.map { now >= $0 } ?? false }

    /// Whether a person who is about to go on should be given a new one.
    package func isOld(at now: Timestamp) -> Bool { self.isExpired(at: now + Self.margin) }
}
