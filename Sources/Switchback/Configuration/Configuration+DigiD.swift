/// What only a broker of kind digid has.
import Brokers

extension Configuration.Broker {
    package struct DigiD: Sendable {
        package let resolver: String
        package let appLink: String
        package let level: DigiDLevel
        package let subjectClaim: String
        package let testHost: String?
        /// Nil where the resolver makes the requests.
        package let service: DigiDService?

        init(_ scope: SettingScope, _ files: NamedFiles) throws(SettingScope.Absent) {
            self.resolver = try scope.need("resolver", SettingScope.text)
            self.appLink = try scope.need("app_link", SettingScope.text)
            self.level = try scope.need("authn_context", SettingScope.choice)
            self.subjectClaim = try scope.need("subject_claim", SettingScope.text)
            self.testHost = scope.text("test_host")
            self.service = try scope.digidService(files)
        }
    }
}

extension SettingScope {
    /// Nil where nothing is signed, or no key makes RS256: a rule reports that.
    fileprivate func digidService(_ files: NamedFiles) throws(Absent) -> DigiDService? {
        guard let entityID = self.text("entity_id"), let key = files.signingKeys.first(where: { $0.fits(.rs256) })
        else { return nil }
        let consumer: DigiDService.Consumer
        if let index = self.integer("acs_index") {
            consumer = .index(index)
        } else {
            consumer = .url(try self.need("acs_url", SettingScope.text))
        }
        return DigiDService(
            entityID: entityID, destination: try self.need("destination", SettingScope.text), consumer: consumer,
            iconURL: try self.need("icon_url", SettingScope.text), key: key.key)
    }
}
