// Registers a variant's client at the sandbox.

import Base
import JOSE
import Sandbox
import ServerConfiguration

extension RunningServer {
    package static func client(_ variant: BrokerVariant, _ configuration: Configuration) throws -> SandboxClient {
        guard let method = SandboxClient.Authentication(rawValue: variant.authentication) else {
            throw TestClient.Failure(description: "no such authentication: \(variant.authentication)")
        }
        guard let broker = configuration.brokers.first(where: { $0.id == variant.name }),
            let algorithm = SignatureAlgorithm(rawValue: variant.idTokenAlgorithm)
        else { throw TestClient.Failure(description: "no such broker: \(variant.name)") }
        let encryption = try Self.encryption(variant, configuration)
        return SandboxClient(
            clientID: variant.name, secret: variant.usesSecret ? Secret(Self.secret) : nil,
            keys: JWKSet(configuration.signingKeys.map(\.jwk)), redirectURIs: [configuration.redirectURI(of: broker)],
            authentication: method, idTokenAlgorithm: algorithm,
            requiresRequestObject: variant.requestStyle.hasSuffix("jar"),
            requiresPushedRequest: variant.requestStyle.hasPrefix("par"), idTokenEncryption: encryption,
            userinfo: try Self.userinfo(variant, encryption))
    }

    private static func encryption(
        _ variant: BrokerVariant, _ configuration: Configuration
    ) throws -> SandboxClient.Encryption? {
        guard let words = variant.encryption?.split(separator: " ").map(String.init) else { return nil }
        let keys = configuration.decryptionKeys.map(\.jwk)
        guard words.count == 2, let management = KeyManagementAlgorithm(rawValue: words[0]),
            let content = ContentEncryption(rawValue: words[1]), keys.count == 2
        else { throw TestClient.Failure(description: "no such encryption: \(words)") }
        return SandboxClient.Encryption(
            key: words[0].hasPrefix("RSA") ? keys[0] : keys[1], algorithm: management, encryption: content)
    }

    private static func userinfo(
        _ variant: BrokerVariant, _ encryption: SandboxClient.Encryption?
    ) throws -> SandboxClient.Userinfo {
        switch variant.userinfo {
        case "json": return .json
        case "signed": return .signed
        default:
            guard let encryption else { throw TestClient.Failure(description: "userinfo without encryption") }
            return .encrypted(encryption)
        }
    }
}
