// Makes a provider from its settings.

import Brokers
import StrictJSON

extension Provider {
    /// `personKey` names the people of namespaces that are keyed.
    init(
        _ scope: SettingScope, _ settings: EffectiveSettings, personKey: PersonKey?
    ) throws(ConfigurationError) {
        self.init(
            id: scope.name, brokerID: try scope.need("broker", SettingScope.text),
            names: try scope.need("names", SettingScope.names))
        self.isEnabled = try scope.need("enabled", SettingScope.boolean)
        self.notices = scope.names("notices") ?? [:]
        self.countries = try scope.need("countries", SettingScope.list)
        self.scope = try scope.need("scope", SettingScope.list)
        self.acrValues = try scope.need("acr_values", SettingScope.list)
        self.prompt = scope.text("prompt")
        self.maxAge = scope.integer("max_age")
        self.claimsRequest = scope.text("claims_parameter").flatMap { (try? JSON(parsing: Array($0.utf8)))?.object }
        self.eid = scope.text("eid")
        let knownApp = EIDApp.known[self.eid ?? self.id] ?? EIDApp()
        self.eidApp = EIDApp(
            androidPackages: scope.list("eid_app.android_packages") ?? knownApp.androidPackages,
            iosProbeLinks: scope.list("eid_app.ios_probe_links") ?? knownApp.iosProbeLinks,
            androidBrowsers: knownApp.androidBrowsers)
        self.download = EIDAppDownload(
            ios: scope.text("eid_app.ios_store_url"),
            android: scope.text("eid_app.android_store_url")
                ?? self.eidApp.androidPackages.first.map { EIDAppDownload.playStore($0) },
            fallback: scope.text("eid_app.fallback_url"))
        self.logo = scope.text("logo")
        self.surfaces = try scope.need("surfaces", SettingScope.list).compactMap(AuthorizationContext.Surface.init)
        self.isEphemeral = try scope.need("ephemeral", SettingScope.boolean)
        self.assurance = try scope.need("assurance", SettingScope.choice)
        self.minimumAssurance = try scope.need("minimum_assurance", SettingScope.choice)
        self.methods = Set(try scope.need("amr_values", SettingScope.list))
        if let claim = scope.text("national_id_claim"), let type = scope.text("national_id_type") {
            self.nationalID = NationalIDRule(claim: claim, type: type)
        }
        if let namespace = scope.text("person.namespace"), let claim = scope.text("person.claim") {
            let isKeyed = settings.scopes("namespaces").first { $0.name == namespace }?.boolean("keyed") ?? false
            self.person = Person.Rule(namespace: namespace, claim: claim, key: isKeyed ? personKey : nil)
        }
        self.codeLifetime = try scope.need("code_lifetime", SettingScope.seconds)
        self.usesUserInfo = try scope.need("userinfo", SettingScope.boolean)
        self.authorize = try scope.need("authorize", SettingScope.choice)
        self.flow = try scope.need("flow", SettingScope.choice)
        self.claims = try scope.need("claims", SettingScope.list)
        self.parameters = Set(try scope.need("parameters", SettingScope.list))
        let broker = settings.scopes("brokers").first { $0.name == self.brokerID }
        if let kind = broker?.brokerKind { self.options = kind.options(from: scope) }
    }
}
