import JOSE
import KeyFiles
import ServerConfiguration
import TestSupport

/// A small valid configuration for tests to change.
package enum SampleConfiguration {
    package static let yaml = """
        public_url: https://login.example.com
        store: memory
        server_keys: [server.key]
        keys:
          signing:
            - file: es256.pem
        proxy:
          header: none
        apps:
          shop:
            name: Shop
            release: immediate
        brokers:
          idura:
            kind: oidc
            issuer: https://id.example.com
            client_id: switchback
            client_secret: hunter2
        providers:
          mitid:
            broker: idura
            names: MitID
            prompt: login

        """

    package static let files = FileAccess([
        "server.key": ServerKeyFile.generate().exposed, "other.key": ServerKeyFile.generate().exposed,
        "es256.pem": Self.pem(.p256), "new.pem": Self.lastYear + Self.pem(.p256), "old.pem": Self.pem(.p256),
        "other.pem": Self.pem(.p256), "ed25519.pem": Self.pem(.ed25519), "rsa.pem": Self.pem(.rsa(bits: 2048)),
        "access.pem": Self.pem(.p256), "access-2.pem": Self.pem(.p256),
        "session.key": SessionKeyFile.generate().exposed, "person.key": PersonKeyFile.generate().exposed,
        "session-2.key": Self.lastYear + SessionKeyFile.generate().exposed,
        "secret": Array("from a file\n".utf8),
        "two-lines": Array("one\ntwo\n".utf8), "bytes": [0xFF, 0xFE], "empty": [],
        "api.jwk": Self.recipient, "ca.pem": Array("-----BEGIN CERTIFICATE-----\n".utf8),
        "tls.pem": Self.tls?.certificate ?? [], "tls.key": Self.tls?.key ?? [],
        "old.crt": Self.ended?.certificate ?? [], "old.key": Self.ended?.key ?? [],
        "next.crt": Self.next?.certificate ?? [], "next.key": Self.next?.key ?? [],
    ]) { $0 != "/nowhere" }

    private static let tls = try? MintedIdentity(["login.example.com"], until: 20 * 86_400)
    private static let ended = try? MintedIdentity(["*.example.com"], from: -20 * 86_400, until: -86_400)
    private static let next = try? MintedIdentity(["next.example"], from: 86_400, until: 3 * 86_400)

    /// The public encryption key of an app's own API.
    private static let recipient =
        (try? PrivateKey.generate(.p256).publicKey.jwk(keyID: "api", use: "enc").json.encoded()) ?? []

    /// The head of a key file with an active key that follows another.
    private static let lastYear = Array("# created: 2025-01-01T00:00:00Z\n# active: 2025-01-02T00:00:00Z\n".utf8)

    private static func pem(_ kind: PrivateKey.Kind) -> [UInt8] {
        (try? PrivateKey.generate(kind).pem.exposed) ?? []
    }

    /// Returns the sample with one part replaced, or with lines added to its end.
    package static func source(
        _ old: String = "", _ new: String = "", adding lines: String = "", environment: [String: String] = [:],
        flags: [ConfigurationSource.Flag] = []
    ) -> ConfigurationSource {
        let parts = old.isEmpty ? [Self.yaml] : Self.parts(old)
        return ConfigurationSource(
            name: "s.yaml", yaml: Array((parts.joined(separator: new) + lines).utf8), environment: environment,
            flags: flags,
            files: Self.files)
    }

    /// Returns all validation errors, one per line.
    package static func problems(_ source: ConfigurationSource) -> [String] {
        do throws(ConfigurationError) {
            _ = try Configuration(source)
            return []
        } catch {
            return error.errors.map(\.description)
        }
    }

    /// Splits the sample at the part, which must occur once.
    private static func parts(_ piece: String) -> [String] {
        for start in Self.yaml.indices where Self.yaml[start...].hasPrefix(piece) {
            return [String(Self.yaml[..<start]), String(Self.yaml[start...].dropFirst(piece.count))]
        }
        preconditionFailure("the sample has no \"\(piece)\"")
    }
}

extension ConfigurationSource {
    /// Returns a copy with another part replaced.
    package func adding(_ old: String, _ new: String) -> Self {
        Self(
            name: self.name, yaml: Array(String(decoding: self.yaml, as: UTF8.self).replacing(old, with: new).utf8),
            environment: self.environment, files: self.files)
    }
}
