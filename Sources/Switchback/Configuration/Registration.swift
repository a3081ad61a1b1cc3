/// What has to be registered at each broker, byte for byte, as `switchback check` prints it.
package enum Registration {
    package static func text(_ configuration: Configuration) -> String {
        configuration.brokers.map { broker in
            var lines = [
                "Broker \(broker.id) (\(broker.issuer)), client \(broker.clientID):",
                "  redirect URI: \(configuration.redirectURI(of: broker))",
                "  response mode: \(broker.responseMode.rawValue)",
                "  client authentication: \(broker.authentication.rawValue)",
            ]
            if let signer = broker.signer {
                lines.append("  jwks URI: \(configuration.keySetURI)")
                lines.append("  signs with: \(signer.algorithm.rawValue)\(signer.keyID.map { ", kid \($0)" } ?? "")")
            }
            return lines.joined(separator: "\n") + "\n"
        }.joined(separator: "\n")
    }
}
