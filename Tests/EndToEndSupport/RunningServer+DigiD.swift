// The settings of a DigiD broker and its provider, for the sandbox.

extension RunningServer {
    /// The broker signs its requests itself when the variant says RS256. Otherwise the resolver makes them.
    package static func digidBroker(_ variant: BrokerVariant, sandbox: String, _ more: String) -> String {
        let service =
            "entity_id: \"urn:sandbox:\(variant.name)\", destination: \"\(sandbox)/saml\", "
            + "icon_url: \"\(sandbox)/icon.png\", acs_index: 0, "
        return """
              \(variant.name): {kind: digid, issuer: "\(sandbox)", client_id: \(variant.name), \
            client_secret: "\(Self.secret)", resolver: "\(sandbox)/oauth/custom-registration/digid", \
            app_link: "\(sandbox)/digid-app", \(variant.signingAlgorithm == "RS256" ? service : "")\
            allow_insecure_loopback: true\(more)}
            """
    }

    package static func digidProvider(_ variant: BrokerVariant, _ more: String) -> String {
        "  \(variant.name): {broker: \(variant.name), names: {en: DigiD}, countries: [NL], scope: [read], eid: digid\(more)}"
    }
}
