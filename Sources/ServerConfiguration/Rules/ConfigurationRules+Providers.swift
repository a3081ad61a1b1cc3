/// The rules for providers: for the login buttons.
import Brokers
import OpenIDConnect
import StrictJSON

extension ConfigurationRules {
    mutating func check(provider: SettingScope) {
        self.checkBroker(of: provider)
        self.checkFreshness(of: provider)
        self.checkParameters(of: provider)
        self.checkOwners(of: provider)
        self.checkClaims(of: provider)
        self.checkPerson(of: provider)
        self.checkKind(of: provider)
        self.checkFlow(of: provider)
        self.checkDigiD(of: provider)
        if let scope = provider.list("scope"), !scope.contains("openid"), !self.isDigiD(provider) {
            self.report(provider, "scope", "must name openid")
        }
        if provider.text("prompt")?.split(separator: " ").contains("none") == true {
            self.report(provider, "prompt", "must not be none: a person is to log in")
        }
    }

    private mutating func checkBroker(of provider: SettingScope) {
        let brokers = self.settings.scopes("brokers").map(\.name)
        guard let broker = provider.text("broker"), !brokers.contains(broker) else { return }
        let nearest = Nearest.suggestion(for: broker, in: brokers)
        self.report(provider, "broker", "there is no broker \"\(broker)\"\(nearest)")
    }

    /// What only one kind of broker knows, and what it cannot do without.
    private mutating func checkKind(of provider: SettingScope) {
        guard let kind = self.broker(of: provider)?.brokerKind else { return }
        let special: [(name: String, isGiven: Bool, of: Configuration.Broker.Kind)] = [
            ("idp_values", provider.list("idp_values")?.isEmpty == false, .signaturgruppen),
            ("reference_text", provider.text("reference_text") != nil, .signaturgruppen),
            ("minimum_aal", provider.text("minimum_aal") != "none", .signaturgruppen),
            ("minimum_ial", provider.text("minimum_ial") != "none", .signaturgruppen),
            ("message", provider.text("message") != nil, .idura),
            ("action", provider.text("action") != nil, .idura),
        ]
        for (name, isGiven, owner) in special where isGiven && owner != kind {
            self.report(provider, name, "is for brokers of kind \(owner.rawValue)")
        }
        if kind == .signaturgruppen, provider.boolean("userinfo") == false {
            self.report(provider, "userinfo", "must be true: this broker's ID tokens name nobody")
        }
        for name in ["reference_text", "message"] {
            guard let text = provider.text(name), text.count > 130 else { continue }
            self.report(provider, name, "must have 130 characters at most")
        }
    }

    /// A broker that lets a person in whom it still knows would hand the session of whoever opens a link to its sender.
    private mutating func checkFreshness(of provider: SettingScope) {
        let asks = provider.text("prompt")?.split(separator: " ").contains("login") == true
        guard !asks, provider.integer("max_age") == nil, !self.isDigiD(provider) else { return }
        // Without a browser there is no session that the broker could still know.
        guard provider.text("flow") != Provider.Flow.headless.rawValue else { return }
        let own = provider.release("release").map { ($0, provider) }
        let owners = self.owners(of: provider)
        let rules = own.map { [$0] } ?? owners.compactMap { app in app.release("release").map { ($0, app) } }
        guard let (_, owner) = rules.first(where: { $0.0 == .immediate }) else { return }
        self.report(
            provider, "prompt", "must hold login, or max_age be set, because \(owner.path).release is immediate")
    }

    private mutating func checkClaims(of provider: SettingScope) {
        if let text = provider.text("claims_parameter"), (try? JSON(parsing: Array(text.utf8)))?.object == nil {
            self.report(provider, "claims_parameter", "must be a JSON object")
        }
        let (claim, type) = (provider.text("national_id_claim"), provider.text("national_id_type"))
        if claim != nil, type == nil {
            self.report(provider, "national_id_type", "is required for national_id_claim")
        }
        if claim == nil, type != nil {
            self.report(provider, "national_id_claim", "is required for national_id_type")
        }
    }

    /// In a browser's URL they would be seen, and without a key anybody could ask about anybody.
    private mutating func checkPersonal(_ name: String, of provider: SettingScope) {
        let broker = self.broker(of: provider)
        let style: Client.RequestStyle? = broker?.choice("request_style")
        if let style, !style.isPushed {
            self.report(
                provider, "parameters",
                "\(name) may name a person, and needs request_style par or par+jar of its broker")
        }
        if !self.owners(of: provider).contains(where: { $0.text("api_key") != nil }) {
            self.report(
                provider, "parameters",
                "\(name) may name a person, which only the backend of an app may do: give that app an api_key")
        }
    }

    private mutating func checkParameters(of provider: SettingScope) {
        for name in provider.list("parameters") ?? [] {
            switch AuthorizeParameter.kind(of: name) {
            case .ours: self.report(provider, "parameters", "\(name) is set by the server, never by an app")
            case .link:
                self.report(
                    provider, "parameters",
                    "\(name) may decide where a login leads, so a caller could redirect it. Remove it from the list")
            case .person: self.checkPersonal(name, of: provider)
            case .malformed:
                self.report(
                    provider, "parameters",
                    "\(name) is no name of a parameter (RFC 6749 §8.2): it has letters, digits, and -._ only")
            case .plain: break
            }
        }
    }
}

/// The rules for the ways to an e-ID that are not a browser's redirect.
extension ConfigurationRules {
    mutating func checkFlow(of provider: SettingScope) {
        guard let flow: Provider.Flow = provider.choice("flow") else { return }
        let broker = self.broker(of: provider)
        let kind = broker?.brokerKind
        let mode: Client.ResponseMode? = broker?.choice("response_mode")
        if flow != .launchLinks, mode == .json, let broker {
            self.report(broker, "response_mode", "json is only for flow launch_links, and \(provider.path) is another")
        }
        switch flow {
        case .browser, .artifact:
            return
        case .ciba:
            self.need(.signaturgruppen, kind, provider)
        case .launchLinks:
            self.need(.idura, kind, provider)
            self.need("urn:grn:authn:se:bankid:same-device", provider)
            self.needImmediateRelease(provider)
            if let mode, let broker, mode != .json, mode != .query {
                self.report(
                    broker, "response_mode", "must be json or query for the flow launch_links of \(provider.path)")
            }
        case .headless:
            self.need(.idura, kind, provider)
            self.need("urn:grn:authn:se:bankid", provider)
            self.needImmediateRelease(provider)
        }
    }

    private mutating func need(
        _ kind: Configuration.Broker.Kind, _ found: Configuration.Broker.Kind?, _ provider: SettingScope
    ) {
        guard let found, found != kind else { return }
        self.report(provider, "flow", "\(provider.text("flow") ?? "") is for brokers of kind \(kind.rawValue)")
    }

    private mutating func need(_ contextClass: String, _ provider: SettingScope) {
        guard provider.list("acr_values") != [contextClass] else { return }
        self.report(provider, "acr_values", "must be [\"\(contextClass)\"] for flow \(provider.text("flow") ?? "")")
    }

    /// Nothing that happens on the way could be shown by the app and not be known to whoever started the login.
    private mutating func needImmediateRelease(_ provider: SettingScope) {
        let flow = provider.text("flow") ?? ""
        let advice =
            "nothing proves on which device the person is; take flow browser, or say release: immediate and name the provider in apps.*.providers"
        if let own = provider.release("release") {
            guard own != .immediate else { return }
            return self.report(provider, "release", "must be immediate for flow \(flow): \(advice)")
        }
        guard let app = self.owners(of: provider).first(where: { $0.appRelease != .immediate }) else { return }
        self.report(provider, "flow", "\(flow) does not go with the release of \(app.path): \(advice)")
    }
}
