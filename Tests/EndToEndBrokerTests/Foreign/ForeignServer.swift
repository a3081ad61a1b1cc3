import Base
import EndToEndSupport
import Foundation
import KeyFiles
import Logging
import ServerConfiguration
import Switchback
import Telemetry
import TestSupport

/// Our server, on real sockets, with one broker for every variant of every foreign provider.
struct ForeignServer: Sendable {
    let url: String
    let operations: String
    let log = CapturedLog()
    private let server: SwitchbackServer

    /// The providers start before the server, so they must know its address beforehand.
    struct Ports: Sendable {
        let server: UInt16
        let operations: UInt16

        init() throws { (self.server, self.operations) = (try FreePort.find(), try FreePort.find()) }

        var url: String { "http://127.0.0.1:\(self.server)" }
    }

    init(_ ports: Ports, _ issuers: [ForeignProgram: String], _ variants: [ForeignVariant]) throws {
        let keys = try ServerPEM.get()
        let files = FileAccess(
            [
                "server.key": try KeyGenerator.file(.server), "es256.pem": keys.es256, "rsa.pem": keys.rsa,
                "rsa-decryption.pem": keys.rsaDecryption, "ec-decryption.pem": keys.ecDecryption,
            ],
            isFolder: FileAccess.system.isFolder)
        let yaml = Self.yaml(ports, issuers, variants)
        let configuration = try Configuration(
            ConfigurationSource(name: "test", yaml: Array(yaml.utf8), flags: [], files: files))
        let log = self.log
        let logger = Logger(label: "test") { _ in
            LineLogHandler(.json, level: .debug, now: WallClock.now, write: { log.append($0) })
        }
        self.url = ports.url
        self.operations = "http://127.0.0.1:\(ports.operations)"
        self.server = try SwitchbackServer(configuration: configuration, logger: logger, now: WallClock.now)
        _ = try self.server.start()
    }

    func stop() async { await self.server.stop() }

    private static func yaml(
        _ ports: Ports, _ issuers: [ForeignProgram: String], _ variants: [ForeignVariant]
    ) -> String {
        """
        public_url: \(ports.url)
        listen: 127.0.0.1:\(ports.server)
        operations_listen: 127.0.0.1:\(ports.operations)
        store: memory
        server_keys: [server.key]
        drain_delay: 0
        keys:
          signing: [{file: es256.pem, algorithm: ES256}, {file: rsa.pem}]
          decryption: [{file: rsa-decryption.pem}, {file: ec-decryption.pem}]
        apps: {demo: {name: Demo, release: immediate}}
        limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0}
        brokers:
        \(variants.map { $0.broker(issuer: issuers[$0.program] ?? "") }.joined(separator: "\n"))
        providers:
        \(variants.map(\.providers).joined(separator: "\n"))
        """
    }
}
