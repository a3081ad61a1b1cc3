import OpenIDConnect
import StrictJSON

/// An app on Android, as Digital Asset Links names it.
package struct AndroidApp: Equatable, Sendable {
    package let package: String
    /// SHA-256 fingerprints of the certificates that sign it, as Digital Asset Links writes them.
    package let fingerprints: [String]

    package init(package: String, fingerprints: [String]) {
        self.package = package
        self.fingerprints = fingerprints
    }
}

/// Which links on `link_url` open an app, and how Apple and Google identify that app. The link files, the page behind a
/// link, and `check` use it.
package struct AppLinks: Sendable {
    package struct App: Equatable, Sendable {
        package let id: String
        /// Path prefixes; every link that begins with one of them opens the app.
        package var prefixes: [String] = []
        /// Opens the app if a link did not. It never contains anything that came with a link.
        package var schemeLink: String?
        package var appleIDs: [String] = []
        package var androidApps: [AndroidApp] = []

        package init(id: String) { self.id = id }
    }

    /// Nil without `link_url`; then there are no links.
    package var origin: EndpointURL?
    package var apps: [App] = []
    /// The paths of redirect URIs that are links to the app (`callback: app`). Any app may have started the login.
    package var callbacks: [String] = []

    package init() {}

    /// Returns the app that owns this link; the longest prefix wins.
    package func app(at path: String) -> App? {
        let matches = self.apps.flatMap { app in app.prefixes.map { (app, $0) } }
            .filter { path.utf8.starts(with: $0.1.utf8) }
        return matches.max { $0.1.utf8.count < $1.1.utf8.count }?.0
    }
}

extension AppLinks {
    /// The name of a link file that is larger than phones accept.
    package var fileTooLargeForPhones: String? {
        let files = [
            (AppleAppSiteAssociation.name, AppleAppSiteAssociation(self)?.json),
            (AssetLinks.name, AssetLinks(self)?.json),
        ]
        return files.first { ($0.1?.encoded().count ?? 0) > AppleAppSiteAssociation.limit }?.0
    }
}
