// The rules for providers.

import Base
import Brokers
import OpenIDConnect
import StrictJSON

extension ConfigurationValidator {
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
            self.report(provider, "scope", "needs openid")
        }
        if provider.text("prompt")?.split(separator: " ").contains("none") == true {
            self.report(provider, "prompt", "must not contain none: the user has to log in")
        }
    }

    private mutating func checkBroker(of provider: SettingScope) {
        let brokers = self.settings.scopes("brokers").map(\.name)
        guard let broker = provider.text("broker"), !brokers.contains(broker) else { return }
        let nearest = SpellingSuggestion.suggestion(for: broker, in: brokers)
        self.report(provider, "broker", "there is no broker \"\(broker)\"\(nearest)")
    }

    /// Checks settings that only one kind of broker has, and those that it requires.
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
            self.report(provider, name, "is only for brokers of kind \(owner.rawValue)")
        }
        if kind == .signaturgruppen, provider.boolean("userinfo") == false {
            self.report(provider, "userinfo", "must be true: this broker's ID tokens do not identify the user")
        }
        for name in ["reference_text", "message"] {
            guard let text = provider.text(name), text.count > 130 else { continue }
            self.report(provider, name, "must have at most 130 characters")
        }
    }

    /// A broker that still has a session would log the user in without asking. Then an attacker who sends a login link
    /// to a user gets a login as that user.
    private mutating func checkFreshness(of provider: SettingScope) {
        guard !self.asksForFreshness(provider) else { return }
        let own = provider.release("release").map { ($0, provider) }
        let owners = self.owners(of: provider)
        let rules = own.map { [$0] } ?? owners.compactMap { app in app.release("release").map { ($0, app) } }
        guard let (_, owner) = rules.first(where: { $0.0 == .immediate }) else { return }
        self.report(
            provider, "prompt", "must contain login, or set max_age, because \(owner.path).release is immediate")
    }

    /// Whether the user has to authenticate for each login.
    func asksForFreshness(_ provider: SettingScope) -> Bool {
        if provider.text("prompt")?.split(separator: " ").contains("login") == true { return true }
        // Without a browser the broker has no session.
        return provider.integer("max_age") != nil || self.isDigiD(provider)
            || provider.text("flow") == Provider.Flow.headless.rawValue
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

    /// Such a parameter would be visible in a browser's URL, and without a key anyone could ask about any user.
    private mutating func checkPersonal(_ name: String, of provider: SettingScope) {
        let broker = self.broker(of: provider)
        let style: Client.RequestStyle? = broker?.choice("request_style")
        if let style, !style.isPushed {
            self.report(
                provider, "parameters",
                "\(name) may identify a user, and needs request_style par or par+jar of its broker")
        }
        if !self.owners(of: provider).contains(where: { $0.text("api_key") != nil }) {
            self.report(
                provider, "parameters",
                "\(name) may identify a user, which only an app's backend may do: set api_key of that app")
        }
    }

    private mutating func checkParameters(of provider: SettingScope) {
        for name in provider.list("parameters") ?? [] {
            switch AuthorizeParameter.kind(of: name) {
            case .ours: self.report(provider, "parameters", "\(name) is set by the server. Remove it from the list")
            case .link:
                self.report(
                    provider, "parameters",
                    "\(name) may decide where a login leads, so a caller could redirect it. Remove it from the list")
            case .person: self.checkPersonal(name, of: provider)
            case .malformed:
                self.report(
                    provider, "parameters",
                    "\(name) is not a valid parameter name (RFC 6749 §8.2): use only letters, digits and -._")
            case .plain: break
            }
        }
    }
}

/// The rules for flows that are not a browser's redirect.
extension ConfigurationValidator {
    mutating func checkFlow(of provider: SettingScope) {
        guard let flow: Provider.Flow = provider.choice("flow") else { return }
        let broker = self.broker(of: provider)
        let kind = broker?.brokerKind
        let mode: Client.ResponseMode? = broker?.choice("response_mode")
        if flow != .launchLinks, mode == .json, let broker {
            self.report(
                broker, "response_mode", "json is only for flow launch_links, but \(provider.path) has another flow")
        }
        switch flow {
        case .browser, .artifact:
            return
        case .ciba:
            self.need(.signaturgruppen, kind, provider)
            self.warnOfUnsent(provider)
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

    /// The ID token is checked against them, but the request of this flow cannot contain them.
    private mutating func warnOfUnsent(_ provider: SettingScope) {
        let unsent = [
            ("acr_values", provider.list("acr_values")?.isEmpty == false),
            ("max_age", provider.integer("max_age") != nil),
            ("claims_parameter", provider.text("claims_parameter") != nil),
        ]
        for (name, isGiven) in unsent where isGiven {
            self.warn(
                provider, name,
                "is not sent in flow ciba, so the broker may not do what it says. Remove it, or use flow browser")
        }
    }

    private mutating func need(
        _ kind: Configuration.Broker.Kind, _ actualKind: Configuration.Broker.Kind?, _ provider: SettingScope
    ) {
        guard let actualKind, actualKind != kind else { return }
        self.report(provider, "flow", "\(provider.text("flow") ?? "") is only for brokers of kind \(kind.rawValue)")
    }

    private mutating func need(_ contextClass: String, _ provider: SettingScope) {
        guard provider.list("acr_values") != [contextClass] else { return }
        self.report(provider, "acr_values", "must be [\"\(contextClass)\"] for flow \(provider.text("flow") ?? "")")
    }

    /// These flows give the app nothing to show that an attacker who started the login would not have too.
    private mutating func needImmediateRelease(_ provider: SettingScope) {
        let flow = provider.text("flow") ?? ""
        let advice =
            "nothing proves which device the user is on; use flow browser, or set release: immediate and name the provider in apps.*.providers"
        if let own = provider.release("release") {
            guard own != .immediate else { return }
            return self.report(provider, "release", "must be immediate for flow \(flow): \(advice)")
        }
        guard let app = self.owners(of: provider).first(where: { $0.appRelease != .immediate }) else { return }
        self.report(provider, "flow", "\(flow) does not work with the release of \(app.path): \(advice)")
    }
}
