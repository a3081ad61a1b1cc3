import EndToEndSupport
import Foundation
import Sandbox
import TestSupport

/// Servers on one store, their sandbox provider, and nginx in front where a test asks for it.
final class SoakStage: Sendable {
    /// The URL that apps and browsers use.
    let url: String
    let servers: [SoakServer]
    private let provider: SoakProvider
    private let store: SoakStore.Opened
    private let nginx: Nginx?
    private let folder: String

    var sandbox: SandboxProvider { self.provider.sandbox }

    /// The prefix of links to the app.
    static let returnPrefix = "https://app.example/r/"

    /// Starts everything except the servers.
    init(
        _ store: SoakStore.Opened, in folder: String, servers count: Int = 1, behindNginx: Bool = false,
        sessions: Bool = false
    ) throws {
        let provider = try SoakProvider()
        let front = try FreePort.find()
        let url = "http://127.0.0.1:\(front)"
        let limits =
            "limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0, connections_per_address: 10000}"
        let yaml = try provider.configuration(
            url: url, in: folder, settings: "\(store.settings)\n\(limits)", sessions: sessions)
        self.servers = try (0..<count).map { number in
            try SoakServer(number: number, port: behindNginx ? nil : front, in: folder, yaml: yaml)
        }
        self.nginx = try behindNginx ? Self.nginx(before: self.servers, port: front, in: folder) : nil
        self.url = url
        self.store = store
        self.provider = provider
        self.folder = folder
    }

    static func makeFolder() throws -> String {
        let folder = NSTemporaryDirectory() + "switchback-soak-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    func start() async throws {
        for server in self.servers { try await server.start() }
    }

    func stop() async throws {
        for server in self.servers { try await server.stop() }
        self.nginx?.stop()
        await self.provider.stop()
        self.store.close()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    /// nginx with the block of the documentation. Only the addresses are others, and there is no TLS.
    private static func nginx(before servers: [SoakServer], port: UInt16, in folder: String) throws -> Nginx {
        var sample = try NginxSample()
        try sample.set("server 127.0.0.1:8080", to: servers.map { "server 127.0.0.1:\($0.port)" })
        try sample.set("listen 443 ssl http2", to: ["listen 127.0.0.1:\(port)"])
        try sample.set("ssl_certificate ", to: [])
        try sample.set("ssl_certificate_key ", to: [])
        return try Nginx(in: folder, servers: [sample.text])
    }
}
