// Makes a provider from its settings.

import Brokers
import StrictJSON

extension Provider {
    /// `personKey` names the people of namespaces that are keyed.
    init(_ scope: SettingScope, _ settings: EffectiveSettings, personKey: PersonKey?) {
        let own = scope.values(CommonProviderSettings.self)
        self.init(id: scope.name, brokerID: own.brokerID, names: own.names)
        own.fill(&self)
        self.notices = own.notices
        self.claimsRequest = own.claimsParameter.flatMap { (try? JSON(parsing: Array($0.utf8)))?.object }
        let knownApp = EIDApp.known[self.eid ?? self.id] ?? EIDApp()
        self.eidApp = EIDApp(
            androidPackages: own.androidPackages ?? knownApp.androidPackages,
            iosProbeLinks: own.iosProbeLinks ?? knownApp.iosProbeLinks,
            androidBrowsers: knownApp.androidBrowsers)
        self.download = EIDAppDownload(
            ios: own.iosStoreURL,
            android: own.androidStoreURL
                ?? self.eidApp.androidPackages.first.map { EIDAppDownload.playStore($0) },
            fallback: own.fallbackURL)
        if let claim = own.nationalIDClaim, let type = own.nationalIDType {
            self.nationalID = NationalIDRule(claim: claim, type: type)
        }
        if let namespace = own.personNamespace, let claim = own.personClaim {
            let isKeyed = settings.scopes("namespaces").first { $0.name == namespace }?.boolean("keyed") ?? false
            self.person = Person.Rule(namespace: namespace, claim: claim, key: isKeyed ? personKey : nil)
        }
        guard let kind = settings.scopes("brokers").first(where: { $0.name == self.brokerID })?.brokerKind else {
            return
        }
        self.options = kind.options(from: scope)
        // DigiD has only one flow, and it is not configurable.
        if kind == .digid { self.flow = .artifact }
    }
}
