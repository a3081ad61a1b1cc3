/// Where a person gets an e-ID's own app, and what to open meanwhile. Each is an https URL, nil where nobody has said it.
package struct EIDAppDownload: Equatable, Sendable {
    /// In Apple's App Store.
    package var ios: String?
    /// In Google's Play Store.
    package var android: String?
    /// A page of the operator's or the e-ID's, for phones without the app.
    package var fallback: String?

    package init(ios: String? = nil, android: String? = nil, fallback: String? = nil) {
        self.ios = ios
        self.android = android
        self.fallback = fallback
    }

    /// The page of a package in the Play Store (developer.android.com, "Link to Google Play").
    package static func playStore(_ package: String) -> String {
        "https://play.google.com/store/apps/details?id=\(package)"
    }

    /// On this system, or nil.
    package func store(on system: Visit.Platform?) -> String? {
        switch system {
        case .ios: self.ios
        case .android: self.android
        case .web, nil: nil
        }
    }
}
