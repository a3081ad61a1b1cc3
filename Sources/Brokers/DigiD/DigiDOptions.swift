import JOSE
import OpenIDConnect

/// What DigiD and its resolver are asked for, from the settings of a broker of kind digid.
package struct DigiDOptions: Sendable {
    package let resolver: String
    package let appLink: String
    package let level: DigiDLevel
    package let subjectClaim: String
    /// Nil unless the subject is a national number.
    package let personKey: PersonKey?
    package let testHost: String?
    /// Nil if the resolver makes the requests.
    package let service: DigiDService?
    /// Nil if the resolver may open DigiD's app only.
    package let thirdPartyApps: ThirdPartyApps?

    /// Reads the checked settings of a broker. Returns nil if there is no resolver. `key` is an RSA key for requests, and
    /// `personKey` names users whose subject is a national number.
    package init?(_ values: some OptionValues, key: PrivateKey?, personKey: PersonKey?) {
        guard let resolver = values.text("resolver"), let appLink = values.text("app_link"),
            let level: DigiDLevel = values.choice("authn_context"), let subjectClaim = values.text("subject_claim")
        else { return nil }
        self.resolver = resolver
        self.appLink = appLink
        self.level = level
        self.subjectClaim = subjectClaim
        self.personKey = personKey
        self.testHost = values.text("test_host")
        self.service = key.flatMap { DigiDService(values, key: $0) }
        self.thirdPartyApps = ThirdPartyApps(values)
    }
}

extension DigiDService {
    /// Returns nil if the resolver makes the requests.
    fileprivate init?(_ values: some OptionValues, key: PrivateKey) {
        guard let entityID = values.text("entity_id"), let destination = values.text("destination"),
            let iconURL = values.text("icon_url"),
            let consumer = values.integer("acs_index").map(Consumer.index) ?? values.text("acs_url").map(Consumer.url)
        else { return nil }
        self.init(entityID: entityID, destination: destination, consumer: consumer, iconURL: iconURL, key: key)
    }
}

extension ThirdPartyApps {
    /// Returns nil if the resolver may open DigiD's app only.
    fileprivate init?(_ values: some OptionValues) {
        let links = (values.list("app_links") ?? []).compactMap { EndpointURL($0) }
        guard !links.isEmpty, let parameter = values.text("artifact_parameter"),
            let proof: Proof = values.choice("artifact_proof")
        else { return nil }
        self.init(links: links, artifactParameter: parameter, proof: proof)
    }
}
