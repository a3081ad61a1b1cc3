/// How an app opens the e-ID's app.
package struct AppTarget: Equatable, Sendable {
    /// An https link that the e-ID's app answers to.
    package var universalLink: String
    /// The same by a scheme of the e-ID's own, for phones on which the link opens a browser.
    package var customScheme: String?
    package var androidPackage: String?

    package init(universalLink: String, customScheme: String? = nil, androidPackage: String? = nil) {
        self.universalLink = universalLink
        self.customScheme = customScheme
        self.androidPackage = androidPackage
    }
}
