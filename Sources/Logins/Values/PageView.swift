/// What the browser's page says: what is true of the login now, and the way back to its app.
package struct PageView: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case completing
        /// The person logged in, and has to go back to the app by this page's link or code.
        case awaitingReturn
        case completed
        case failed(Reason)
        case cancelled
        /// It came too late.
        case expired
        /// The broker or the store cannot be reached now; the same link may be tried again.
        case unavailable
        /// The login is open in another window, which has what this one lacks.
        case openElsewhere
        /// It belongs to no login that we know, or not to this browser.
        case neutral
        /// A link to the app was opened in a browser. It is of no login that we know.
        case linkOpened
    }

    package let kind: Kind
    package let reference: String?
    package let app: String?
    /// The link back to the app, if it has one.
    package var returnURL: String?
    /// For people to type into the app.
    package var code: String?
    /// The locale that the app asked for.
    package let locale: String?

    package init(_ kind: Kind, reference: String? = nil, app: String? = nil, locale: String? = nil) {
        self.kind = kind
        self.reference = reference
        self.app = app
        self.locale = locale
    }

    /// True while a reload may show something else.
    package var mayChange: Bool { self.kind == .completing }
}
