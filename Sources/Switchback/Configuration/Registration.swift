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
            if broker.requestStyle != .plain { lines.append("  request style: \(broker.requestStyle.rawValue)") }
            let isEncrypted = broker.idTokenEncrypted || broker.userInfoFormat == .encrypted
            let signers = [
                ("client assertions", broker.assertionSigner), ("request objects", broker.requestObjectSigner),
            ]
            if isEncrypted || signers.contains(where: { $0.1?.jwk != nil }) {
                lines.append("  jwks URI: \(configuration.keySetURI)")
            }
            for case (let what, let signer?) in signers {
                lines.append("  \(what): \(signer.algorithmName)\(signer.keyID.map { ", kid \($0)" } ?? "")")
            }
            if isEncrypted {
                let keys = configuration.decryptionKeys.map(\.keyID).joined(separator: ", ")
                lines.append("  encrypts for: kid \(keys)")
            }
            return lines.joined(separator: "\n") + "\n"
        }.joined(separator: "\n")
    }
}
