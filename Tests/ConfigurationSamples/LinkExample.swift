import Links
import ServerConfiguration

/// Two apps with links, from a configuration.
package enum LinkExample {
    package static let one = Array(repeating: "0A", count: 32).joined(separator: ":")
    package static let two = Array(repeating: "F1", count: 32).joined(separator: ":")

    package static let shop = """
        return_prefixes: ["https://link.example.com/r/", "com.example.shop:/r/"]
            return_scheme: com.example.shop
            ios: {app_ids: [ABCDE12345.com.example.shop, ABCDE12345.com.example.shop.beta]}
            android:
              - {package: com.example.shop, sha256_cert_fingerprints: ["\(one)", "\(two)"]}
        """

    package static func source(
        _ app: String = Self.shop, broker: String = "", environment: [String: String] = [:]
    ) -> ConfigurationSource {
        SampleConfiguration.source(
            "release: immediate\nbrokers:", "release: immediate\n    \(app)\nbrokers:",
            adding: "link_url: https://link.example.com\n", environment: environment
        ).adding("client_secret: hunter2", "client_secret: hunter2\(broker)")
    }

    package static func links(_ app: String = Self.shop, broker: String = "") throws -> AppLinks {
        AppLinks(try Configuration(Self.source(app, broker: broker)))
    }
}
