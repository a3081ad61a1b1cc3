// The links of the apps in a configuration.

import Links
import OpenIDConnect

extension AppLinks {
    package init(_ configuration: Configuration) {
        self.init()
        guard let link = configuration.linkURL else { return }
        self.origin = link
        self.callbacks = configuration.brokers.filter { $0.callback == .app }.map(\.callbackPath)
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
