// The links of the apps in a configuration.

import Links
import OpenIDConnect

extension AppLinks {
    package init(_ configuration: Configuration) {
        self.init()
        guard let link = configuration.linkURL else { return }
        self.origin = link
        self.callbacks = configuration.brokers.filter { $0.callback == .app }.map(\.callbackPath)
        self.apps = configuration.apps.map { configuredApp in
            var app = App(id: configuredApp.id)
            app.prefixes = configuredApp.returnPrefixes.compactMap { EndpointURL($0) }
                .filter { $0.origin == link.origin }.map(\.path)
            app.schemeLink = configuredApp.returnScheme.flatMap { scheme in
                configuredApp.returnPrefixes.first { $0.hasPrefix("\(scheme):") }
            }
            app.appleIDs = configuredApp.appleIDs
            app.androidApps = configuredApp.androidApps
            return app
        }
    }
}
