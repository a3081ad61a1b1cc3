// The rules for DigiD: what its broker needs, and what has no effect there.

import Brokers
import OpenIDConnect

extension ConfigurationValidator {
    mutating func checkDigiD(_ broker: SettingScope) {
        guard broker.brokerKind == .digid else { return }
        self.checkWay(of: broker)
        self.checkResolver(of: broker)
        self.checkService(of: broker)
        self.checkThirdPartyApps(of: broker)
        for name in ["resolver", "app_link", "destination", "icon_url", "acs_url"] { self.checkScheme(broker, name) }
    }

    /// DigiD supports only one way: basic credentials to the resolver, and a link back.
    private mutating func checkWay(of broker: SettingScope) {
        let only = [
            ("client_authentication", Configuration.Broker.Authentication.clientSecretBasic.rawValue),
            ("request_style", Configuration.Broker.RequestStyle.plain.rawValue),
            ("response_mode", Configuration.Broker.ResponseMode.query.rawValue),
            ("userinfo_format", Configuration.Broker.UserInfoFormat.json.rawValue),
        ]
        for (name, value) in only where broker.text(name).map({ $0 != value }) ?? false {
            self.report(broker, name, "must be \(value): kind digid supports nothing else")
        }
        if broker.boolean("id_token_encrypted") == true {
            self.report(broker, "id_token_encrypted", "has no effect with kind digid, which has no ID token")
        }
        if broker.list("trusted_audiences")?.isEmpty == false {
            self.report(broker, "trusted_audiences", "has no effect with kind digid, which has no ID token")
        }
        let callback = self.settings.entry(broker.path.appending("callback"))
        if callback?.origin != .standard, broker.brokerCallback == .backend {
            self.report(broker, "callback", "must be app: DigiD's app returns to a link that opens your app")
        }
        if self.settings.server.linkURL == nil {
            self.report(broker, "kind", "needs link_url: DigiD's app returns to a link on it")
        }
    }

    private mutating func checkResolver(of broker: SettingScope) {
        guard let resolver = broker.url("resolver") else { return }
        if resolver.path.hasSuffix("/") {
            self.report(broker, "resolver", "must not end with a slash: /init and /complete are added")
        }
        guard let issuer = broker.url("issuer"), let hosts = broker.list("hosts") else { return }
        if resolver.host != issuer.host, !hosts.contains(resolver.host) {
            self.report(broker, "hosts", "must name \(resolver.host), because the resolver is there")
        }
    }

    /// Either all settings of a request are set, or none.
    private mutating func checkService(of broker: SettingScope) {
        let isGiven = { [settings] (name: String) in settings.isGiven(broker.path.appending(name)) }
        let parts = ["destination", "icon_url"]
        guard isGiven("entity_id") else {
            for name in parts + ["acs_index", "acs_url"] where isGiven(name) {
                self.report(broker, name, "has no effect without entity_id")
            }
            return
        }
        for name in parts where !isGiven(name) { self.report(broker, name, "is required for entity_id") }
        if isGiven("acs_index") == isGiven("acs_url") {
            self.report(broker, "acs_index", "is required for entity_id if acs_url is not set; set only one of them")
        }
        // A file that was refused needs no second error.
        guard self.files.signingKeys.count == self.settings.scopes("keys.signing").count else { return }
        if !self.files.signingKeys.contains(where: { $0.fits(.rs256) }) {
            self.report(broker, "entity_id", "needs a key in keys.signing that supports RS256")
        }
    }

    private mutating func checkScheme(_ broker: SettingScope, _ name: String) {
        guard let url = broker.url(name), url.scheme == .http, !self.allowsInsecureURLs else { return }
        if !url.isLoopback || broker.boolean("allow_insecure_loopback") != true {
            self.report(broker, name, "must be https; http to loopback needs allow_insecure_loopback: true")
        }
    }
}

// MARK: - Providers

extension ConfigurationValidator {
    func isDigiD(_ provider: SettingScope) -> Bool { self.broker(of: provider)?.brokerKind == .digid }

    mutating func checkDigiD(of provider: SettingScope) {
        guard self.isDigiD(provider) else { return }
        let foreign: [(name: String, isGiven: Bool)] = [
            ("acr_values", provider.list("acr_values")?.isEmpty == false), ("prompt", provider.text("prompt") != nil),
            ("max_age", provider.integer("max_age") != nil),
            ("claims_parameter", provider.text("claims_parameter") != nil),
            ("parameters", provider.list("parameters")?.isEmpty == false),
        ]
        for (name, isGiven) in foreign where isGiven {
            self.report(provider, name, "has no effect with a broker of kind digid, which only supports authn_context")
        }
        if provider.list("claims")?.contains(where: DigiDBroker.isLastingToken) == true {
            self.report(
                provider, "claims",
                "must not name \(DigiDBroker.lastingToken): no app gets a token that outlives the login")
        }
        guard !self.checkUnprovenRelease(of: provider) else { return }
        // This flow has no page that could show a code.
        if let release = provider.release("release") {
            if release == .code { self.reportCode(provider) }
        } else if self.owners(of: provider).contains(where: { $0.appRelease == .code }) {
            self.reportCode(provider)
        }
    }

    private mutating func reportCode(_ provider: SettingScope) {
        self.report(
            provider, "broker",
            "shows no page with a code: every app with this provider needs release: return_link or immediate")
    }
}
