/// The rules for apps: for what opens them, and which providers they have.
import Logins
import OpenIDConnect

extension ConfigurationRules {
    mutating func check(app: SettingScope) {
        for prefix in app.list("return_prefixes") ?? [] {
            guard let url = EndpointURL(prefix), url.scheme == .http, !url.isLoopback, !self.allowsInsecureURLs else {
                continue
            }
            self.report(app, "return_prefixes", "\(prefix) must be https, or a scheme of the app's own")
        }
        if app.release("release") == .returnLink, (app.list("return_prefixes") ?? []).isEmpty,
            app.text("return_scheme") == nil
        {
            self.report(app, "release", "return_link needs return_prefixes; without links it is code")
        }
        self.checkLinks(of: app)
        self.checkOrigins(of: app)
        self.checkProviders(of: app)
        self.checkKey(of: app)
        self.checkAssertions(of: app)
    }
}

// MARK: - Links

/// What opens an app: its links on `link_url`, and the apps that the link files name.
extension ConfigurationRules {
    /// What the server itself answers at; `callback` may be a link to an app.
    private static let ownFolders = [".well-known", "assets", "client", "done", "go", "openapi.yaml", "v1"]

    /// A page that came over http is whoever was on the way.
    mutating func checkOrigins(of app: SettingScope) {
        let origins = (app.list("origins") ?? []).compactMap { EndpointURL($0) }
        for origin in origins where origin.scheme == .http && !origin.isLoopback && !self.allowsInsecureURLs {
            self.report(
                app, "origins",
                "must be https; http is for loopback, or with allow_insecure_public_url, not \"\(origin.text)\"")
        }
    }

    mutating func checkLinks(of app: SettingScope) {
        let prefixes = self.linkPrefixes(of: app)
        for prefix in prefixes { self.checkPath(of: prefix, of: app) }
        for item in app.items("android") where item.list("sha256_cert_fingerprints")?.isEmpty == true {
            self.report(item, "sha256_cert_fingerprints", "must name at least one certificate")
        }
        let packages = app.items("android").compactMap { $0.text("package") }
        if let twice = packages.enumerated().first(where: { packages[..<$0.offset].contains($0.element) })?.element {
            self.report(app, "android", "names \(twice) twice: put its certificates in one list")
        }
        guard let setting = Self.nameOfLinkFileSetting(app) else { return }
        guard self.settings.isGiven(SettingPath("link_url")) else {
            return self.report(app, setting, "needs link_url: the file that names the app to phones is on it")
        }
        let isCallback = self.settings.scopes("brokers").contains {
            $0.brokerCallback == .app || $0.brokerKind == .digid
        }
        guard prefixes.isEmpty, !isCallback, let link = self.settings.top.url("link_url") else { return }
        // One that was refused already needs no second complaint.
        guard app.list("return_prefixes") != nil || !self.settings.isGiven(app.path.appending("return_prefixes")) else {
            return
        }
        self.report(
            app, "return_prefixes", "must have one on link_url, as in \(link.origin)/r/, or no link opens this app")
    }

    private static func nameOfLinkFileSetting(_ app: SettingScope) -> String? {
        if app.list("ios.app_ids")?.isEmpty == false { return "ios.app_ids" }
        return app.items("android").isEmpty ? nil : "android"
    }

    private func linkPrefixes(of app: SettingScope) -> [EndpointURL] {
        let origin = self.settings.top.url("link_url")?.origin
        return (app.list("return_prefixes") ?? []).compactMap { EndpointURL($0) }.filter { $0.origin == origin }
    }

    private mutating func checkPath(of prefix: EndpointURL, of app: SettingScope) {
        let folders = prefix.path.split(separator: "/")
        guard let first = folders.first else {
            return self.report(
                app, "return_prefixes", "\(prefix.text) would open the app for every page of link_url: add a path")
        }
        if Self.ownFolders.contains(String(first)) {
            self.report(app, "return_prefixes", "\(prefix.text) is where this server has pages of its own")
        }
        // Stars, question marks and the like are patterns in the files.
        if !prefix.path.utf8.allSatisfy({ $0 == 0x2F || Self.isPlain($0) }) {
            self.report(
                app, "return_prefixes", "\(prefix.text) must have letters, digits and -._~ only in its path")
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        SettingKind.isLower(byte | 0x20) || SettingKind.isDigit(byte) || "-._~".utf8.contains(byte)
    }
}

// MARK: - Providers

extension ConfigurationRules {
    /// Nil where the app has no such button.
    func release(of provider: SettingScope, in app: SettingScope) -> Release? {
        Release.rule(
            of: app.appRelease, own: provider.release("release"),
            isNamed: app.list("providers")?.contains(provider.name))
    }

    /// The apps that have this button.
    func owners(of provider: SettingScope) -> [SettingScope] {
        self.settings.scopes("apps").filter { self.release(of: provider, in: $0) != nil }
    }

    /// At most one is meant by a request that names none.
    mutating func checkDefaultApp() {
        let marked = self.settings.scopes("apps").filter { $0.boolean("default") ?? false }
        for app in marked.dropFirst() {
            self.report(app, "default", "\(marked[0].name) is the default app already. Leave it out of one of them")
        }
    }

    mutating func checkProviders(of app: SettingScope) {
        let providers = self.settings.scopes("providers")
        for name in app.list("providers") ?? [] where !providers.contains(where: { $0.name == name }) {
            let nearest = Nearest.suggestion(for: name, in: providers.map(\.name))
            self.report(app, "providers", "there is no provider \"\(name)\"\(nearest)")
        }
        let releases = providers.compactMap { provider in self.release(of: provider, in: app).map { (provider, $0) } }
        if releases.isEmpty, !providers.isEmpty {
            let reason =
                app.list("providers") == nil ? "every provider asks for less proof than the app" : "it names none"
            self.report(app, "providers", "the app has no provider: \(reason). Name at least one")
        }
        for (provider, release) in releases where release.isWeaker(than: app.appRelease) {
            self.warn(
                app, "providers",
                "names \(provider.name), which asks for less proof than the app. The app's own API must look at proof and provider in the assertion before it believes one"
            )
        }
    }

    mutating func checkOwners(of provider: SettingScope) {
        guard !self.settings.scopes("apps").isEmpty, self.owners(of: provider).isEmpty else { return }
        self.warn(
            provider, "release", "no app has this provider. Name it in providers of an app that is to have it")
    }
}
