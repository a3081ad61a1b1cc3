/// The rules for what opens an app: its links on `link_url`, and the apps that the link files name.
import OpenIDConnect

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
            $0.text("callback") == "app" || $0.text("kind") == "digid"
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
