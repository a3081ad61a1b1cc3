/// The rules for the ways to an e-ID that are not a browser's redirect.
import Brokers
import OpenIDConnect

extension ConfigurationRules {
    mutating func checkFlow(of provider: SettingScope) {
        guard let flow: Provider.Flow = provider.choice("flow") else { return }
        let broker = self.settings.scopes("brokers").first { $0.name == provider.text("broker") }
        let kind: Configuration.Broker.Kind? = broker?.choice("kind")
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
        if let own = provider.text("release") {
            guard own != "immediate" else { return }
            return self.report(provider, "release", "must be immediate for flow \(flow): \(advice)")
        }
        guard let app = self.owners(of: provider).first(where: { $0.appRelease != .immediate }) else { return }
        self.report(provider, "flow", "\(flow) does not go with the release of \(app.path): \(advice)")
    }
}
