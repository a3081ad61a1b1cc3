/// The rules for what is allowed and dangerous. An error where an attack works, a warning where it may: one sentence says
/// what is wrong, the next what to do.
import HTTPWire
import Logins

extension ConfigurationRules {
    mutating func checkReleases() {
        for scope in self.settings.scopes("apps") + self.settings.scopes("providers")
        where scope.release("release") == .immediate {
            self.warn(
                scope, "release",
                "with immediate, whoever is sent a login's link logs in the sender's app. Take return_link or code where a person's own data are behind the login"
            )
        }
    }

    /// The assertions of one app pass for those of another with the same `aud`.
    mutating func checkAudiences() {
        let apps = self.settings.scopes("apps")
        for (index, app) in apps.enumerated() {
            guard let other = apps[..<index].first(where: { $0.audience == app.audience }) else { continue }
            guard self.asksForNothing(app) == self.asksForNothing(other) else {
                self.report(
                    app, "audience",
                    "is that of \(other.path), and only one of them has a provider that asks for no proof: its assertions would pass for the other's. Give each its own"
                )
                continue
            }
            self.warn(
                app, "audience",
                "is that of \(other.path), so the API cannot tell their assertions apart. Give each its own")
        }
    }

    private func asksForNothing(_ app: SettingScope) -> Bool {
        self.settings.scopes("providers").contains { self.release(of: $0, in: app) == .immediate }
    }

    /// Somebody who guesses it can ask the broker about anybody, without a limit.
    mutating func checkKey(of app: SettingScope) {
        guard let key = app.text("api_key") else { return }
        if key.utf8.count < 22 || Set(key.utf8).count < 10 {
            self.report(
                app, "api_key", "can be guessed. Make one with `openssl rand -base64 32`: 22 random characters at least"
            )
        }
        if let other = self.settings.scopes("apps").first(where: { $0.text("api_key") == key }), other.path != app.path
        {
            self.warn(
                app, "api_key", "is that of \(other.path), whose backend can speak for this app. Give each its own")
        }
    }

    mutating func checkExposure() {
        let top = self.settings.top
        for text in top.list("proxy.trusted") ?? [] {
            guard let network = IPAddress.Network(text), network.coversTheInternet else { continue }
            self.report(
                top, "proxy.trusted",
                "\(text) is everybody: anybody could name any address, and no limit would hold. Name the proxies' own addresses"
            )
        }
        if let listen = top.listen("operations_listen"), listen.host?.isUnspecified == true {
            self.warn(
                top, "operations_listen",
                "is on all addresses, and /metrics tells who asks how the service does. Let nobody but probes and Prometheus reach the port, by a firewall or a NetworkPolicy, or name one address"
            )
        }
        if self.allowsInsecureURLs {
            self.warn(
                top, "allow_insecure_public_url",
                "lets codes and proofs travel without TLS. It is for trying out with a phone: leave it out for everybody else"
            )
        }
        for broker in self.settings.scopes("brokers") where broker.text("test_host") != nil {
            self.warn(broker, "test_host", "lets DigiD's test artifacts in. Leave it out where people log in")
        }
    }
}

extension SettingScope {
    fileprivate var audience: String { self.text("audience") ?? self.name }
}

extension IPAddress.Network {
    /// Halves of it, and the public part of IPv6, count as all of it. What is private is not.
    fileprivate var coversTheInternet: Bool {
        if let text = self.description.split(separator: "/").last, let length = Int(text) {
            let isV4 = !self.description.contains(":")
            if isV4 { return length < 8 }
            let isPrivate = ["fc", "fd", "fe"].contains { self.description.hasPrefix($0) }
            return length < 16 && !isPrivate
        }
        return false
    }
}
