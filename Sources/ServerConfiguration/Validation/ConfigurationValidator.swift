import Base
import HTTPWire
import Outbound
import Stores

/// The rules for several settings together. Each rule is one function, and all of them always run.
struct ConfigurationValidator {
    let settings: EffectiveSettings
    let files: ReferencedFiles
    let access: FileAccess
    var problems: [Diagnostic] = []

    /// Every rule skips a setting that was refused already.
    static func problems(_ settings: EffectiveSettings, _ files: ReferencedFiles, _ access: FileAccess) -> [Diagnostic]
    {
        var rules = ConfigurationValidator(settings: settings, files: files, access: access)
        rules.checkAddresses()
        rules.checkProxy()
        rules.checkTLS()
        rules.checkStore()
        rules.checkPresence()
        for app in settings.scopes("apps") { rules.check(app: app) }
        for broker in settings.scopes("brokers") { rules.check(broker: broker) }
        for provider in settings.scopes("providers") { rules.check(provider: provider) }
        for namespace in settings.scopes("namespaces") { rules.check(namespace: namespace) }
        rules.checkPersonKey()
        rules.checkSessions()
        rules.checkAttestation()
        rules.checkReleases()
        rules.checkAudiences()
        rules.checkDefaultApp()
        rules.checkExposure()
        rules.checkSecurityContacts()
        rules.checkTracing()
        rules.checkRecorder()
        rules.checkAudit()
        rules.checkKeyRing()
        rules.checkFileModes()
        return rules.problems
    }

    /// Returns nil if there is no broker of that name, which another rule reports.
    func broker(of provider: SettingScope) -> SettingScope? {
        self.settings.scopes("brokers").first { $0.name == provider.text("broker") }
    }

    mutating func report(_ scope: SettingScope, _ name: String, _ message: String) {
        self.problems.append(scope.problem(name, message))
    }

    mutating func report(_ path: SettingPath, _ message: String) {
        self.problems.append(self.settings.problem(path, message))
    }

    mutating func warn(_ path: SettingPath, _ message: String) {
        self.problems.append(self.settings.problem(path, message, .warning))
    }

    /// Reports something that works, but that an operator should look at.
    mutating func warn(_ scope: SettingScope, _ name: String, _ message: String) {
        self.problems.append(scope.problem(name, message, .warning))
    }

    /// The public URL may be http on loopback, or if the operator allows it explicitly.
    private mutating func checkAddresses() {
        let server = self.settings.server
        if let url = server.publicURL, url.scheme == .http, !url.isLoopback, !self.allowsInsecureURLs {
            self.report(
                server.path(\.publicURL),
                "must be https; http is only for loopback, or with allow_insecure_public_url: true")
        }
        if let url = server.publicURL, url.scheme == .https,
            url.isLoopback || Self.isPrivate(url.host)
        {
            self.warn(
                server.path(\.publicURL),
                "is an address that phones and brokers reach only on this machine or in its network. Use a name that everyone can reach"
            )
        }
        if let link = server.linkURL {
            if link.scheme == .http, !link.isLoopback, !self.allowsInsecureURLs {
                self.report(
                    server.path(\.linkURL),
                    "must be https; http is only for loopback, or with allow_insecure_public_url: true"
                )
            }
            // In a sandbox on one address only the ports can differ.
            if let url = server.publicURL, url.host == link.host, !self.allowsInsecureURLs {
                self.report(
                    server.path(\.linkURL),
                    "must have a different host than public_url: iOS opens links to the page's own host in the browser")
            }
        }
        if let listen = server.listen, let other = server.operationsListen, listen.conflicts(with: other) {
            self.report(server.path(\.operationsListen), "must differ from listen: metrics are not for the internet")
        }
    }

    private mutating func checkProxy() {
        let server = self.settings.server
        guard let header = server.proxy.header, let trustedProxies = server.proxy.trusted
        else { return }
        if header != .none, trustedProxies.isEmpty {
            self.report(
                server.path(\.proxy.header), "needs proxy.trusted: without it any client could claim any address")
        }
        if server.listen?.path != nil, header == .none || !trustedProxies.contains(.unix) {
            self.report(
                server.path(\.listen),
                "is a Unix socket, where no client has an address, so all would share one limit. Set proxy.header to what the proxy sends, and name unix in proxy.trusted"
            )
        }
        if header == .none, !trustedProxies.isEmpty {
            self.report(server.path(\.proxy.trusted), "has no effect while proxy.header is none")
        }
    }

    private mutating func checkPresence() {
        for (kind, example) in [("apps", "one app"), ("brokers", "one broker"), ("providers", "one provider")]
        where self.settings.instances[SettingPath(kind)] == nil
            && !self.settings.refusedParts.contains(SettingPath(kind))
        {
            self.problems.append(self.settings.problem(SettingPath(kind), "needs at least \(example)"))
        }
    }

    /// Whether the host is an address that only this machine or its network can reach. False for names: only DNS knows
    /// what they lead to.
    static func isPrivate(_ host: String) -> Bool {
        guard let address = IPAddress(host) else { return false }
        let scope = address.v4.map { AddressScope(ipv4: $0) } ?? AddressScope(ipv6: address.bytes)
        return scope == .privateUse || scope == .loopback
    }

    var allowsInsecureURLs: Bool {
        self.settings.server.allowsInsecureURLs ?? false
    }
}

/// The rules for the settings of TLS.
extension ConfigurationValidator {
    mutating func checkTLS() {
        let tls = self.settings.tls
        self.checkPair(tls.usual, "tls.")
        for pair in tls.more { self.checkPair(pair, "") }
        let isOn = tls.usual.isGiven(\.certificate)
        if !isOn, tls.more.contains(where: { $0.certificate != nil }) {
            self.report(
                tls.path(\.more), "needs tls.certificate, which clients get that ask for none of these names")
        }
        guard let clients = tls.clients else { return }
        let hasAuthority = tls.isGiven(\.clientAuthority)
        switch clients {
        case .off:
            if hasAuthority {
                self.report(tls.path(\.clientAuthority), "has no effect while tls.client_certificates is off")
            }
        case .optional, .required:
            if !isOn { self.report(tls.path(\.clients), "needs tls.certificate") }
            if !hasAuthority {
                self.report(tls.path(\.clientAuthority), "is required for tls.client_certificates")
            }
        }
    }

    private mutating func checkPair(_ pair: SettingReader<CertificateFileSettings>, _ prefix: String) {
        let hasCertificate = pair.isGiven(\.certificate)
        let hasKey = pair.isGiven(\.key)
        if hasCertificate, !hasKey { self.report(pair.path(\.key), "is required for \(prefix)certificate") }
        if hasKey, !hasCertificate { self.report(pair.path(\.certificate), "is required for \(prefix)key") }
    }
}

/// The rules for the settings of a store.
extension ConfigurationValidator {
    /// Never quotes a connection string: it may contain a password.
    mutating func checkStore() {
        let server = self.settings.server
        let postgresql = SettingReader<PostgreSQLSettings>(self.settings)
        for (path, text) in [
            (postgresql.path(\.url), postgresql.url), (postgresql.path(\.listenURL), postgresql.listenURL),
        ] {
            guard let text else { continue }
            do throws(OperatorError) {
                _ = try PostgresAddress(Secret(text))
            } catch {
                self.report(path, "\(error)")
            }
        }
        let store = server.store
        if store == .postgresql, !self.settings.isGiven(postgresql.path(\.url)) {
            self.report(postgresql.path(\.url), "is required for store postgresql")
        }
        if server.reusesPort == true, let store, store != .postgresql {
            self.report(
                server.path(\.reusesPort),
                "needs store postgresql: with \(store.rawValue) the processes do not share their logins"
            )
        }
        if server.reusesPort == true, server.listen?.path != nil {
            self.report(server.path(\.reusesPort), "needs a port in listen: a Unix socket belongs to one process")
        }
        if postgresql.wake == .poll, postgresql.listenURL != nil {
            self.report(postgresql.path(\.listenURL), "has no effect while postgresql.wake is poll")
        }
    }
}
