/// Our server, on real sockets, with one broker for every variant of a foreign provider.
import Foundation
import JOSE
import Logging
import Switchback
import TestSupport

struct ForeignServer: Sendable {
    let url: String
    let log = CapturedLog()
    private let server: SwitchbackServer

    /// The provider starts before the server, and must know where it will be.
    struct Ports: Sendable {
        let server: UInt16
        let operations: UInt16

        init() throws { (self.server, self.operations) = (try FreePort.find(), try FreePort.find()) }

        var url: String { "http://127.0.0.1:\(self.server)" }
    }

    init(_ ports: Ports, _ provider: ForeignProvider, _ variants: [ForeignVariant]) throws {
        let keys = try SigningKeys()
        let files = FileAccess(
            ["server.key": try KeyGenerator.file(.server), "es256.pem": keys.es256, "rs256.pem": keys.rs256],
            isFolder: FileAccess.system.isFolder)
        let yaml = Self.yaml(ports, provider, variants)
        let configuration = try Configuration(
            Configuration.Source(name: "test", yaml: Array(yaml.utf8), flags: [], files: files))
        let log = self.log
        let logger = Logger(label: "test") { _ in
            LineLogHandler(.json, level: .debug, now: WallClock.now, write: { log.append($0) })
        }
        self.url = ports.url
        self.server = try SwitchbackServer(configuration: configuration, logger: logger, now: WallClock.now)
        _ = try self.server.start()
    }

    func stop() async { await self.server.stop() }

    private static func yaml(_ ports: Ports, _ provider: ForeignProvider, _ variants: [ForeignVariant]) -> String {
        return """
            public_url: \(ports.url)
            listen: 127.0.0.1:\(ports.server)
            operations_listen: 127.0.0.1:\(ports.operations)
            public_dir: \(RunningServer.publicFolder)
            store: memory
            server_keys: [server.key]
            drain_delay: 0
            keys: {signing: [{file: es256.pem, algorithm: ES256}, {file: rs256.pem, algorithm: RS256}]}
            apps: {demo: {name: Demo, release: immediate}}
            limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0}
            brokers:
            \(variants.map { Self.broker($0, provider) }.joined(separator: "\n"))
            providers:
            \(variants.map { Self.provider($0) }.joined(separator: "\n"))
            """
    }

    /// Only the algorithm that was agreed on is believed, and there is one clock: no leeway.
    private static func broker(_ variant: ForeignVariant, _ provider: ForeignProvider) -> String {
        let how = variant.how
        let proof =
            how.authentication == "private_key_jwt"
            ? "assertion_audience: token_endpoint" : "client_secret: \(ForeignVariant.secret)"
        let signing = variant.isSigning ? "signing_algorithm: \(how.signingAlgorithm), " : ""
        return """
              \(variant.name): {kind: oidc, issuer: "\(provider.issuer)", client_id: \(variant.name), \
            client_authentication: \(how.authentication), \(proof), \(signing)\
            response_mode: \(how.responseMode), request_object: \(how.requestObject), \
            id_token_algorithms: [\(how.idTokenAlgorithm)], clock_leeway: 0, \
            issuer_in_response: \(provider.program.issuerInResponse), allow_insecure_loopback: true}
            """
    }

    private static func provider(_ variant: ForeignVariant) -> String {
        [(variant.name, "max_age: 300"), (variant.prompting, "prompt: login")].map { name, freshness in
            "  \(name): {broker: \(variant.name), names: {en: Foreign}, scope: [openid, profile, email], "
                + "claims: [given_name, email], \(freshness)}"
        }
        .joined(separator: "\n")
    }
}
