/// Which links on `link_url` open an app, and what Apple and Google call that app: what the link files, the page behind a
/// link, and `check` are made from.
import OpenIDConnect

package struct AppLinks: Sendable {
    package struct App: Equatable, Sendable {
        package let id: String
        /// Paths; every link that begins with one of them opens the app.
        package var prefixes: [String] = []
        /// What opens the app where a link did not; never anything that a link brought.
        package var schemeLink: String?
        package var appleIDs: [String] = []
        package var androidApps: [Configuration.App.AndroidApp] = []

        package init(id: String) { self.id = id }
    }

    /// Nil without `link_url`: then there are no links either.
    package var origin: EndpointURL?
    package var apps: [App] = []
    /// The paths of redirect URIs that are links to the app (`callback: app`). Any app may have started the login.
    package var callbacks: [String] = []

    package init() {}

    /// The app whose link this is; the longest prefix decides.
    func app(at path: String) -> App? {
        let found = self.apps.flatMap { app in app.prefixes.map { (app, $0) } }
            .filter { path.utf8.starts(with: $0.1.utf8) }
        return found.max { $0.1.utf8.count < $1.1.utf8.count }?.0
    }
}

extension AppLinks {
    package init(_ configuration: Configuration) {
        guard let link = configuration.linkURL else { return }
        self.origin = link
        self.callbacks = configuration.brokers.filter { $0.callback == .app }.map { Route.callback(broker: $0.id).path }
        self.apps = configuration.apps.map { configured in
            var app = App(id: configured.id)
            app.prefixes = configured.returnPrefixes.compactMap { EndpointURL($0) }
                .filter { $0.origin == link.origin }.map(\.path)
            app.schemeLink = configured.returnScheme.flatMap { scheme in
                configured.returnPrefixes.first { $0.hasPrefix("\(scheme):") }
            }
            app.appleIDs = configured.appleIDs
            app.androidApps = configured.androidApps
            return app
        }
    }
}
