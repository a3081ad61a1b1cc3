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
        /// Apple's server, from which phones get the site's `apple-app-site-association`, does not list the app under a
        /// service (`subject`), although the site does. It reads the site again within a day.
        public static let associationNotFetched = Kind(code: "association_not_fetched")
        /// `LSApplicationQueriesSchemes` has more schemes than the system reads, so those behind `subject` do nothing.
        public static let tooManyQuerySchemes = Kind(code: "too_many_query_schemes")
        /// `LSApplicationQueriesSchemes` lacks a scheme (`subject`), so that the e-ID's app is never found.
        public static let querySchemeMissing = Kind(code: "query_scheme_missing")
        /// `Info.plist` lacks a key (`subject`), and the system ends the app where it is needed.
        public static let infoKeyMissing = Kind(code: "info_key_missing")
        /// `Info.plist` claims no scheme (`subject`), so that links with it open no app.
        public static let urlSchemeMissing = Kind(code: "url_scheme_missing")
        /// A provider (`subject`) works in no browser that this version of iOS can open a login in.
        public static let browserUnsupported = Kind(code: "browser_unsupported")
        /// This phone can make no key in the Secure Enclave (`subject` is the error), so no session can begin.
        public static let hardwareKeyMissing = Kind(code: "hardware_key_missing")
        /// The app cannot use the Keychain or the folder of `store` (`subject` is the error), such as an access group that
        /// its entitlements lack.
        public static let storageUnusable = Kind(code: "storage_unusable")
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
