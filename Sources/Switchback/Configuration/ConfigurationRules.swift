/// What must be true of several settings together. Each rule is one function; all of them are always asked.
import HTTPWire

struct ConfigurationRules {
    let settings: EffectiveSettings
    let files: NamedFiles
    let access: FileAccess
    var problems: [Configuration.Problem] = []

    /// A setting that has been refused already is skipped by every rule.
    static func problems(_ settings: EffectiveSettings, _ files: NamedFiles, _ access: FileAccess) -> [Configuration
        .Problem]
    {
        var rules = ConfigurationRules(settings: settings, files: files, access: access)
        rules.checkAddresses()
        rules.checkProxy()
        rules.checkTLS()
        rules.checkStore()
        rules.checkPresence()
        for app in settings.scopes("apps") { rules.check(app: app) }
        for broker in settings.scopes("brokers") { rules.check(broker: broker) }
        for provider in settings.scopes("providers") { rules.check(provider: provider) }
        for namespace in settings.scopes("namespaces") { rules.check(namespace: namespace) }
        rules.checkReleases()
        rules.checkAudiences()
        rules.checkDefaultApp()
        rules.checkExposure()
        rules.checkFileModes()
        return rules.problems
    }

    mutating func report(_ scope: SettingScope, _ name: String, _ message: String) {
        self.problems.append(scope.problem(name, message))
    }

    /// Something that works, and that somebody should look at.
    mutating func warn(_ scope: SettingScope, _ name: String, _ message: String) {
        self.problems.append(scope.problem(name, message, .warning))
    }

    /// The public URL may be http where nobody else can listen, or where somebody said so in as many words.
    private mutating func checkAddresses() {
        let top = self.settings.top
        if let url = top.url("public_url"), url.scheme == .http, !url.isLoopback, !self.allowsInsecureURLs {
            self.report(top, "public_url", "must be https; http is for loopback, or with allow_insecure_public_url")
        }
        if let link = top.url("link_url") {
            if link.scheme == .http, !link.isLoopback, !self.allowsInsecureURLs {
                self.report(top, "link_url", "must be https; http is for loopback, or with allow_insecure_public_url")
            }
            // In a sandbox on one address only the ports can differ.
            if let url = top.url("public_url"), url.host == link.host, !self.allowsInsecureURLs {
                self.report(
                    top, "link_url",
                    "must be on another host than public_url: iOS keeps links to the page's own host in the browser")
            }
        }
        if let listen = top.listen("listen"), let other = top.listen("operations_listen"), listen.conflicts(with: other)
        {
            self.report(top, "operations_listen", "must differ from listen: metrics are not for the internet")
        }
    }

    private mutating func checkProxy() {
        let top = self.settings.top
        guard let header = top.text("proxy.header"), let trusted = top.list("proxy.trusted") else { return }
        if header != "none", trusted.isEmpty {
            self.report(top, "proxy.header", "needs proxy.trusted: without it anybody could name any address")
        }
        if top.listen("listen")?.path != nil, header == "none" || !trusted.contains("\(TrustedPeer.unix)") {
            self.report(
                top, "listen",
                "is a Unix socket, where no client has an address, so all would share one limit. Set proxy.header to what the proxy sends, and name unix in proxy.trusted"
            )
        }
        if header == "none", !trusted.isEmpty {
            self.report(top, "proxy.trusted", "means nothing while proxy.header is none")
        }
    }

    private mutating func checkPresence() {
        for (kind, example) in [("apps", "an app"), ("brokers", "a broker"), ("providers", "a provider")]
        where self.settings.instances[SettingPath(kind)] == nil {
            self.problems.append(self.settings.problem(SettingPath(kind), "must name at least \(example)"))
        }
    }

    var allowsInsecureURLs: Bool {
        self.settings.top.boolean("allow_insecure_public_url") ?? false
    }
}
