import ServerConfiguration

/// A whole configuration with a broker of kind digid.
package enum DigiDSample {
    package static let service = """
            entity_id: urn:shop
            destination: https://was.digid.nl/saml/idp/request_authentication
            icon_url: https://link.example.com/icon.png
            acs_index: 0

        """

    /// Returns a whole configuration, with `broker` and `provider` added to their sections, and without the line
    /// `without`.
    package static func source(
        _ broker: String = "", provider: String = "", app: String = "release: return_link", key: String = "rsa.pem",
        without line: String = "no such line"
    ) -> ConfigurationSource {
        let yaml = """
            public_url: https://login.example.com
            link_url: https://link.example.com
            store: memory
            server_keys: [server.key]
            keys:
              signing: [{file: \(key)}]
            apps:
              shop:
                name: Shop
                return_prefixes: [https://link.example.com/r/]
                \(app)
            brokers:
              digid:
                kind: digid
                issuer: https://ow.example.com
                resolver: https://ow.example.com/oauth/custom-registration/digid
                client_id: shop
                client_secret: hunter2
            \(broker)
            providers:
              digid:
                broker: digid
                names: DigiD
                scope: [read]
            \(provider)
            """
        let lines = yaml.split(separator: "\n").filter { !$0.contains(line) }
        return ConfigurationSource(
            name: "s.yaml", yaml: Array(lines.joined(separator: "\n").utf8), environment: [:], flags: [],
            files: SampleConfiguration.files)
    }
}
