import OpenIDConnect

/// The rules for a broker of kind digid: what it needs, and what has no effect there.
struct DigiDRules<Values: OptionValues, Server: OptionValues> {
    private let broker: Values
    /// The settings without a name.
    private let server: Server
    private(set) var problems: [KindProblem] = []

    /// Applies all rules.
    init(_ broker: Values, in server: Server) {
        self.broker = broker
        self.server = server
        self.checkWay()
        self.checkResolver()
        self.checkService()
        self.checkThirdPartyApps()
        for name in ["resolver", "app_link", "destination", "icon_url", "acs_url"] { self.checkScheme(name) }
    }

    private mutating func report(_ name: String, _ message: String) {
        self.problems.append(KindProblem(.broker, name, message))
    }

    /// DigiD supports only one way: basic credentials to the resolver, and a link back.
    private mutating func checkWay() {
        let only = [
            ("client_authentication", "client_secret_basic"),
            ("request_style", Client.RequestStyle.plain.rawValue),
            ("response_mode", Client.ResponseMode.query.rawValue),
            ("userinfo_format", UserInfoRules.Format.json.rawValue),
        ]
        for (name, value) in only where self.broker.text(name).map({ $0 != value }) ?? false {
            self.report(name, "must be \(value): kind digid supports nothing else")
        }
        if self.broker.boolean("id_token_encrypted") == true {
            self.report("id_token_encrypted", "has no effect with kind digid, which has no ID token")
        }
        if self.broker.list("trusted_audiences")?.isEmpty == false {
            self.report("trusted_audiences", "has no effect with kind digid, which has no ID token")
        }
        if self.broker.isWritten("callback"), self.broker.text("callback") == "backend" {
            self.report("callback", "must be app: DigiD's app returns to a link that opens your app")
        }
        if self.server.text("link_url") == nil {
            self.report("kind", "needs link_url: DigiD's app returns to a link on it")
        }
    }

    private mutating func checkResolver() {
        guard let resolver = self.broker.url("resolver") else { return }
        if resolver.path.hasSuffix("/") {
            self.report("resolver", "must not end with a slash: /init and /complete are added")
        }
        guard let issuer = self.broker.url("issuer"), let hosts = self.broker.list("hosts") else { return }
        if resolver.host != issuer.host, !hosts.contains(resolver.host) {
            self.report("hosts", "must name \(resolver.host), because the resolver is there")
        }
    }

    /// Either all settings of a request are set, or none.
    private mutating func checkService() {
        let parts = ["destination", "icon_url"]
        guard self.broker.isGiven("entity_id") else {
            for name in parts + ["acs_index", "acs_url"] where self.broker.isGiven(name) {
                self.report(name, "has no effect without entity_id")
            }
            return
        }
        for name in parts where !self.broker.isGiven(name) { self.report(name, "is required for entity_id") }
        if self.broker.isGiven("acs_index") == self.broker.isGiven("acs_url") {
            self.report("acs_index", "is required for entity_id if acs_url is not set; set only one of them")
        }
    }

    private mutating func checkScheme(_ name: String) {
        guard let url = self.broker.url(name), url.scheme == .http, !self.allowsInsecureURLs else { return }
        if !self.isAllowedLoopback(url) {
            self.report(name, "must be https; http to loopback needs allow_insecure_loopback: true")
        }
    }

    private var allowsInsecureURLs: Bool { self.server.boolean("allow_insecure_public_url") ?? false }

    private func isAllowedLoopback(_ url: EndpointURL) -> Bool {
        url.isLoopback && self.broker.boolean("allow_insecure_loopback") == true
    }
}

// MARK: - The apps that a resolver may open in place of DigiD's

extension DigiDRules {
    private mutating func checkThirdPartyApps() {
        guard let links = self.broker.list("app_links"), !links.isEmpty else {
            for name in self.changedThirdPartySettings { self.report(name, "has no effect without app_links") }
            return
        }
        if self.broker.isGiven("entity_id") {
            self.report(
                "app_links",
                "has no effect with entity_id, with which this server opens DigiD's app itself. Remove one of them")
        }
        for link in links.compactMap({ EndpointURL($0) }) { self.check(link) }
        self.checkArtifactParameter()
        if DigiDKind.isUnproven(self.broker) {
            self.problems.append(
                KindProblem(
                    .broker, "artifact_proof",
                    "is none, so a login can be completed with an artifact of somebody else, and a link can log a user into another account. Use callback_link if the app signs which request it answers, and otherwise believe no login of this broker that matters",
                    isWarning: true))
        }
    }

    /// Those that are not what they are by default.
    private var changedThirdPartySettings: [String] {
        let parameter = self.broker.text("artifact_parameter")
        let changedSettings = [
            ("artifact_parameter", parameter.map { $0 != ThirdPartyApps.usualParameter } ?? false),
            ("artifact_proof", self.broker.text("artifact_proof") == ThirdPartyApps.Proof.unproven.rawValue),
        ]
        return changedSettings.filter(\.1).map(\.0)
    }

    private mutating func check(_ link: EndpointURL) {
        if link.scheme == .http, !self.allowsInsecureURLs, !self.isAllowedLoopback(link) {
            return self.report(
                "app_links", "\(link.text) must be https; http to loopback needs allow_insecure_loopback: true")
        }
        if !link.isLoopback, !link.host.contains(".") {
            self.report("app_links", "\(link.text) must name the whole host of an app")
        }
        if let own = self.broker.url("app_link"), own.origin == link.origin,
            own.path == link.path || own.path.hasPrefix(link.path.hasSuffix("/") ? link.path : link.path + "/")
        {
            self.report(
                "app_links", "\(link.text) contains app_link, whose links have rules of their own. Remove it")
        }
        for name in ["public_url", "link_url"]
        where self.server.url(name)?.host == link.host && !link.isLoopback && !self.allowsInsecureURLs {
            self.report(
                "app_links", "\(link.text) is on the host of \(name), and a link to it opens no other app. Remove it")
        }
    }

    private mutating func checkArtifactParameter() {
        guard let name = self.broker.text("artifact_parameter") else { return }
        if ThirdPartyApps.reserved.contains(name) {
            self.report(
                "artifact_parameter",
                "must not be \(name), which has another meaning in links to the app. Ask for another name")
        } else if AuthorizeParameter.kind(of: name) == .malformed {
            self.report(
                "artifact_parameter",
                "\(name) is not a valid parameter name (RFC 6749 §8.2): use only letters, digits and -._")
        }
    }
}

// MARK: - The rules of the kind

extension DigiDKind {
    package static func problems(
        ofBroker broker: some OptionValues, in server: some OptionValues
    ) -> [KindProblem] {
        DigiDRules(broker, in: server).problems
    }

    package static func problems(of provider: some OptionValues) -> [KindProblem] {
        let foreign = [
            ("acr_values", provider.list("acr_values")?.isEmpty == false), ("prompt", provider.text("prompt") != nil),
            ("max_age", provider.integer("max_age") != nil),
            ("claims_parameter", provider.text("claims_parameter") != nil),
            ("parameters", provider.list("parameters")?.isEmpty == false),
        ]
        let unread = foreign.filter(\.1).map { name, _ in
            KindProblem(
                .provider, name, "has no effect with a broker of kind digid, which only supports authn_context")
        }
        guard provider.list("claims")?.contains(where: DigiDBroker.isLastingToken) == true else { return unread }
        let lasting = KindProblem(
            .provider, "claims",
            "must not name \(DigiDBroker.lastingToken): no app gets a token that outlives the login")
        return unread + [lasting]
    }

    /// Whether a return to the app may prove nothing.
    package static func isUnproven(_ broker: some OptionValues) -> Bool {
        broker.list("app_links")?.isEmpty == false
            && broker.text("artifact_proof") == ThirdPartyApps.Proof.unproven.rawValue
    }
}
