import SwitchbackClient

/// Something that would break the first login on this phone. Decide by `kind`, and print the rest.
public struct Diagnosis: Hashable, Sendable {
    /// What is wrong.
    public struct Kind: Coded {
        /// Such as `domain_not_associated`.
        public let code: String

        /// The app's entitlements have no associated domain for its links (`subject`, as `webcredentials:app.example`).
        public static let domainNotAssociated = Kind(code: "domain_not_associated")
        /// The site's `apple-app-site-association` does not list the app under a service (`subject`).
        public static let appNotListed = Kind(code: "app_not_listed")
        /// The site's `apple-app-site-association` cannot be read (`subject` is the host).
        public static let siteUnreadable = Kind(code: "site_unreadable")
        /// `LSApplicationQueriesSchemes` lacks a scheme (`subject`), so that the e-ID's app is never found.
        public static let querySchemeMissing = Kind(code: "query_scheme_missing")
        /// `Info.plist` lacks a key (`subject`), and the system ends the app where it is needed.
        public static let infoKeyMissing = Kind(code: "info_key_missing")
        /// The server did not say which providers there are (`subject` is the error), so little could be compared.
        public static let providersUnknown = Kind(code: "providers_unknown")
    }

    /// What is wrong.
    public let kind: Kind
    /// Where, such as a host or a key.
    public let subject: String

    init(_ kind: Kind, _ subject: String) { (self.kind, self.subject) = (kind, subject) }
}

extension Diagnosis: CustomStringConvertible {
    /// One line for a log.
    public var description: String { "\(self.kind.code): \(self.subject)" }
}
