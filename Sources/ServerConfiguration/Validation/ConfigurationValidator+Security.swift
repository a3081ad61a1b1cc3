// The rules for dangerous settings. An error is for an attack that works, a warning for one that may work. The first
// sentence says what is wrong, the next what to do.

import HTTPWire
import Logins

extension ConfigurationValidator {
    mutating func checkReleases() {
        for scope in self.settings.scopes("apps") + self.settings.scopes("providers")
        where scope.release("release") == .immediate {
            self.warn(
                scope, "release",
                "with immediate, a user who opens a login link from someone else logs in that person's app. Use return_link or code if the login protects personal data"
            )
        }
    }

    /// An assertion of one app is valid for another app with the same `aud`.
    mutating func checkAudiences() {
        let apps = self.settings.scopes("apps")
        for (index, app) in apps.enumerated() {
            guard let other = apps[..<index].first(where: { $0.audience == app.audience }) else { continue }
            guard self.asksForNothing(app) == self.asksForNothing(other) else {
                self.report(
                    app, "audience",
                    "is the same as that of \(other.path), and only one of them has a provider that requires no proof: its assertions would be valid for the other. Give each app its own"
                )
                continue
            }
            self.warn(
                app, "audience",
                "is the same as that of \(other.path), so the API cannot tell their assertions apart. Give each app its own"
            )
        }
    }

    /// RFC 9116 §2.5: both fields are required, and the time is less than a year ahead.
    mutating func checkSecurityContacts() {
        let server = self.settings.server
        let contacts = server.namedContacts ?? []
        for contact in contacts where !["https://", "mailto:", "tel:"].contains(where: { contact.hasPrefix($0) }) {
            self.report(
                server.path(\.namedContacts),
                "\"\(contact)\" is no https, mailto or tel URL. Write an address as mailto:security@example.com")
        }
        guard let end = server.securityContactsExpire else {
            guard !contacts.isEmpty, !self.settings.isGiven(server.path(\.securityContactsExpire)) else { return }
            return self.report(
                server.path(\.namedContacts), "needs security_txt.expires. Set it to a time in the next year")
        }
        if contacts.isEmpty {
            self.report(
                server.path(\.securityContactsExpire), "needs security_txt.contacts. Name at least one, or remove it")
        } else if end <= self.files.now {
            self.warn(
                server.path(\.securityContactsExpire),
                "is over, so people do not trust /.well-known/security.txt. Check security_txt.contacts and set a new time"
            )
        } else if end.milliseconds(since: self.files.now) > 366 * 86_400_000 {
            self.warn(
                server.path(\.securityContactsExpire),
                "is more than a year ahead. Set an earlier time (RFC 9116 §2.5.5)")
        }
    }

    func asksForNothing(_ app: SettingScope) -> Bool {
        self.settings.scopes("providers").contains { self.release(of: $0, in: app) == .immediate }
    }

    /// Someone who guesses it can ask the broker about any user, without a limit. A request that is for backends only
    /// names its app by the key alone, so no two apps may have the same one.
    mutating func checkKey(of app: SettingScope) {
        guard let key = app.text("api_key") else { return }
        if key.utf8.count < 22 || Set(key.utf8).count < 10 {
            self.report(
                app, "api_key",
                "can be guessed. Make one with `openssl rand -base64 32`: it needs at least 22 random characters"
            )
        }
        if let other = self.settings.scopes("apps").first(where: { $0.text("api_key") == key }), other.path != app.path
        {
            self.report(
                app, "api_key",
                "is the same as that of \(other.path), and a request about sessions names its app by the key. Give each app its own"
            )
        }
    }

    mutating func checkExposure() {
        let server = self.settings.server
        for case .network(let network) in server.proxy.trusted ?? [] where network.coversTheInternet {
            self.report(
                server.path(\.proxy.trusted),
                "\(network) covers the whole internet: any client could claim any address, and no limit would work. Name the proxies' own addresses"
            )
        }
        if let listen = server.operationsListen, listen.host?.isUnspecified == true, !self.isOfImage {
            self.warn(
                server.path(\.operationsListen),
                "listens on all addresses, and /metrics shows every client how the service is doing. Restrict the port to probes and Prometheus with a firewall or a NetworkPolicy, or name one address"
            )
        }
        if self.allowsInsecureURLs {
            self.warn(
                server.path(\.allowsInsecureURLs),
                "sends codes and proofs without TLS. Use it only to test with a phone, and remove it in production"
            )
        }
        for broker in self.settings.scopes("brokers") where broker.text("test_host") != nil {
            self.warn(broker, "test_host", "accepts DigiD's test artifacts. Remove it in production")
        }
    }
}

extension ConfigurationValidator {
    /// Whether the image of a container says where to listen. A container has no other address that it knows, and its
    /// engine decides who reaches the port.
    private var isOfImage: Bool {
        guard case .variable = self.settings.server.origin(\.operationsListen) else { return false }
        return self.access.isContainer
    }
}

extension SettingScope {
    /// The audience of the app's assertions.
    var audience: String { self.text("audience") ?? self.name }
}
