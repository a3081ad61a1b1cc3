/// Where users get an e-ID's own app, and what to open meanwhile. Each is an https URL; nil if none is configured.
package struct EIDAppDownload: Equatable, Sendable {
    /// In Apple's App Store.
    package var ios: String?
    /// In Google's Play Store.
    package var android: String?
    /// A page of the operator or the e-ID, for phones without the app.
    package var fallback: String?

    package init(ios: String? = nil, android: String? = nil, fallback: String? = nil) {
        self.ios = ios
        self.android = android
        self.fallback = fallback
    }

    /// Returns the page of a package in the Play Store (developer.android.com, "Link to Google Play").
    package static func playStore(_ package: String) -> String {
        "https://play.google.com/store/apps/details?id=\(package)"
    }

    /// Returns the store's page for this system, if there is one.
    package func store(on system: AuthorizationContext.Platform?) -> String? {
        switch system {
        case .ios: self.ios
        case .android: self.android
        case .web, nil: nil
        }
    }
}
