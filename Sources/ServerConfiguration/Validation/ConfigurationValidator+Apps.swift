// The rules for apps: for their links and their providers.

import Base
import Logins
import OpenIDConnect

extension ConfigurationValidator {
    mutating func check(app: SettingScope) {
        for prefix in app.list("return_prefixes") ?? [] {
            guard let url = EndpointURL(prefix), url.scheme == .http, !url.isLoopback, !self.allowsInsecureURLs else {
                continue
            }
            self.report(app, "return_prefixes", "\(prefix) must be https, or the app's own scheme")
        }
        if app.release("release") == .returnLink, (app.list("return_prefixes") ?? []).isEmpty,
            app.text("return_scheme") == nil
        {
            self.report(app, "release", "return_link needs return_prefixes; without links use code")
        }
        self.checkHosts(of: app)
        self.checkLook(of: app)
        self.checkLinks(of: app)
        self.checkOrigins(of: app)
        self.checkProviders(of: app)
        self.checkKey(of: app)
        self.checkAssertions(of: app)
    }
}

// MARK: - Links

/// What opens an app: its links on `link_url`, and the apps that the link files name.
extension ConfigurationValidator {
    /// The server's own paths. `callback` is not among them, because it may be a link to an app.
    private static let ownFolders = [
        ".well-known", "apple-touch-icon-precomposed.png", "apple-touch-icon.png", "assets", "client",
        "done", "favicon.ico", "go", "oauth", "openapi-app.yaml", "openapi.yaml", "problems", "robots.txt", "v1",
    ]

    /// A page that came over http may be from anyone on the network.
    mutating func checkOrigins(of app: SettingScope) {
        let origins = (app.list("origins") ?? []).compactMap { EndpointURL($0) }
        for origin in origins where origin.scheme == .http && !origin.isLoopback && !self.allowsInsecureURLs {
            self.report(
                app, "origins",
                "must be https; http is only for loopback, or with allow_insecure_public_url: true, not \"\(origin.text)\""
            )
        }
        self.checkPagePrefix(of: app, origins)
    }

    /// An app that takes only the code of the done page leads nowhere from there.
    private mutating func checkPagePrefix(of app: SettingScope, _ origins: [EndpointURL]) {
        let prefixes = app.list("return_prefixes")
        // A value that was refused already needs no warning.
        let isRefused = prefixes == nil && self.settings.isGiven(app.path.appending("return_prefixes"))
        guard app.release("release") != .code, !isRefused,
            let origin = origins.first(where: { !$0.isOfHybridApps })?.origin,
            Configuration.App.pagePrefix(in: prefixes ?? [], on: app.list("origins") ?? []) == nil
        else { return }
        self.warn(
            app, "return_prefixes",
            "has no link on an origin in origins, so a login with platform: web ends on the done page, which leads to no page of yours. Add one that takes the link, as in \(origin)/login/"
        )
    }

    /// Checks that no https prefix is on a host where it opens no app. The button that leads to it is on a page of
    /// `public_url`, and iOS opens a link to the page's own host, whatever its port, in the browser.
    private mutating func checkHosts(of app: SettingScope) {
        let page = self.settings.server.publicURL?.host
        for prefix in (app.list("return_prefixes") ?? []).compactMap({ EndpointURL($0) }) where prefix.scheme == .https
        {
            if prefix.isOfHybridApps {
                self.report(
                    app, "return_prefixes",
                    "\(prefix.text) names no app, because every hybrid app has that host. Use a link on a domain of your own"
                )
            } else if prefix.host == page, !self.allowsInsecureURLs {
                let isOnIOS = app.list("ios.app_ids")?.isEmpty == false
                let problem = app.problem(
                    "return_prefixes",
                    "\(prefix.text) is on the host of public_url, where the done page is: phones open a link to the page's own host in the browser, and not in the app. Use another host, as for link_url",
                    isOnIOS ? .error : .warning)
                self.problems.append(problem)
            }
        }
    }

    mutating func checkLinks(of app: SettingScope) {
        let prefixes = self.linkPrefixes(of: app)
        for prefix in prefixes { self.checkPath(of: prefix, of: app) }
        for item in app.androidPackages where item.fingerprints?.isEmpty == true {
            self.report(item.path(\.fingerprints), "must name at least one certificate")
        }
        let packages = app.androidPackages.compactMap(\.package)
        if let twice = packages.enumerated().first(where: { packages[..<$0.offset].contains($0.element) })?.element {
            self.report(app, "android", "names \(twice) twice: put its certificates in one list")
        }
        // With attestation these settings say which apps are genuine, and links may open the app in another way.
        guard let setting = Self.nameOfLinkFileSetting(app), app.isUnattested else { return }
        guard self.settings.isGiven(SettingPath("link_url")) else {
            return self.report(app, setting, "needs link_url, which serves the file that names the app to phones")
        }
        let isCallback = self.settings.scopes("brokers").contains {
            $0.brokerCallback == .app || $0.brokerKind == .digid
        }
        guard prefixes.isEmpty, !isCallback, let link = self.settings.server.linkURL else { return }
        // A value that was refused already needs no second error.
        guard app.list("return_prefixes") != nil || !self.settings.isGiven(app.path.appending("return_prefixes")) else {
            return
        }
        self.report(
            app, "return_prefixes",
            "must contain one on link_url, as in \(link.origin)/r/; otherwise no link opens this app")
    }

    private static func nameOfLinkFileSetting(_ app: SettingScope) -> String? {
        if app.list("ios.app_ids")?.isEmpty == false { return "ios.app_ids" }
        return app.androidPackages.isEmpty ? nil : "android"
    }

    private func linkPrefixes(of app: SettingScope) -> [EndpointURL] {
        let origin = self.settings.server.linkURL?.origin
        return (app.list("return_prefixes") ?? []).compactMap { EndpointURL($0) }.filter { $0.origin == origin }
    }

    private mutating func checkPath(of prefix: EndpointURL, of app: SettingScope) {
        let folders = prefix.path.split(separator: "/")
        guard let first = folders.first else {
            return self.report(
                app, "return_prefixes", "\(prefix.text) would open the app for every page of link_url: add a path")
        }
        if Self.ownFolders.contains(String(first)) {
            self.report(
                app, "return_prefixes", "\(prefix.text) is a path of the server's own pages: choose another one")
        }
        // Stars, question marks and similar characters are patterns in the files.
        if !prefix.path.utf8.allSatisfy({ $0 == 0x2F || Self.isPlain($0) }) {
            self.report(
                app, "return_prefixes", "\(prefix.text) may have only letters, digits and -._~ in its path")
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        SettingKind.isLower(byte | 0x20) || SettingKind.isDigit(byte) || "-._~".utf8.contains(byte)
    }
}

// MARK: - Providers

extension ConfigurationValidator {
    /// Returns nil if the app does not have this provider.
    func release(of provider: SettingScope, in app: SettingScope) -> ReleasePolicy? {
        ReleasePolicy.rule(
            of: app.appRelease, own: provider.release("release"),
            isNamed: app.list("providers")?.contains(provider.name))
    }

    /// Returns the apps that have this provider.
    func owners(of provider: SettingScope) -> [SettingScope] {
        self.settings.scopes("apps").filter { self.release(of: provider, in: $0) != nil }
    }

    /// At most one app can be the default.
    mutating func checkDefaultApp() {
        let defaultApps = self.settings.scopes("apps").filter { $0.boolean("default") ?? false }
        for app in defaultApps.dropFirst() {
            self.report(
                app, "default",
                "\(defaultApps[0].name) is the default app already. Only one app can be the default: remove it from one of them"
            )
        }
    }

    mutating func checkProviders(of app: SettingScope) {
        let providers = self.settings.scopes("providers")
        for name in app.list("providers") ?? [] where !providers.contains(where: { $0.name == name }) {
            guard !providers.isEmpty else { continue }
            let advice = Self.advice(on: name, among: providers.map(\.name))
            self.report(app, "providers", "there is no provider \"\(name)\"\(advice)")
        }
        let releases = providers.compactMap { provider in self.release(of: provider, in: app).map { (provider, $0) } }
        if releases.isEmpty, !providers.isEmpty {
            let reason =
                app.list("providers") == nil
                ? "every provider requires less proof than the app" : "it names none that exists"
            self.report(app, "providers", "the app has no provider: \(reason). Name at least one")
        }
        for (provider, release) in releases where release.isWeaker(than: app.appRelease) {
            self.warn(
                app, "providers",
                "names \(provider.name), which requires less proof than the app. The app's own API must check proof and provider before it trusts an assertion"
            )
        }
    }

    mutating func checkOwners(of provider: SettingScope) {
        guard !self.settings.scopes("apps").isEmpty, self.owners(of: provider).isEmpty else { return }
        self.warn(
            provider, "release", "no app has this provider. Name it in providers of an app, or remove it")
    }
}

/// The rules for the look of apps. Colours need none: what stands on them or beside them is computed.
extension ConfigurationValidator {
    mutating func checkLook(of app: SettingScope) {
        guard app.text("look.logo") == nil else { return }
        if app.text("look.logo_dark") != nil {
            self.report(app, "look.logo_dark", "needs look.logo, which light pages show")
        }
        if app.boolean("look.show_name") == false {
            self.report(app, "look.show_name", "needs look.logo: without name and logo nobody knows whose page it is")
        }
    }
}
