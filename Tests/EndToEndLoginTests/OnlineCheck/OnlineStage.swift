import Base
import EndToEndSupport
import EventLoop
import HTTPServer
import KeyFiles
import Preflight
import Sandbox
import ServerConfiguration
import StrictJSON
import TestSupport
import Testing

/// A sandbox provider behind a `FaultyFront`, and what `check --online` finds about it.
struct OnlineStage {
    let front: FaultyFront
    let clock = TestClock()
    private let sandbox: SandboxProvider
    private let loops: [EventLoop]
    /// The port of the sandbox itself, behind the front.
    let upstream: UInt16

    /// The sandbox has the front's issuer, or that of another proxy in front of it.
    /// `redirectURI` is what the operator has entered at the broker.
    init(issuer: String? = nil, redirectURI: String = "http://127.0.0.1:1/callback/main") throws {
        self.front = try FaultyFront()
        self.loops = try EventLoop.makeLoops(count: 1)
        self.sandbox = try SandboxProvider(issuer: issuer ?? self.front.url, now: self.clock.now)
        guard let any = ListenAddress("127.0.0.1:0") else { throw TestClient.Failure(description: "listen") }
        self.upstream = try self.sandbox.start(listen: any, loops: self.loops)
        self.front.handOn(to: self.upstream)
        try self.front.start()
        // The sandbox makes keys for the algorithms that its clients want.
        try self.sandbox.register(
            SandboxClient(
                clientID: "us", secret: Secret("secret"), redirectURIs: [redirectURI],
                authentication: .secretBasic))
    }

    func stop() async {
        self.front.stop()
        await self.sandbox.close()
        for loop in self.loops { loop.close() }
    }

    /// Applies `change` to the discovery document from now on.
    func change(_ change: @escaping @Sendable (inout JSON.Object) -> Void) {
        self.front.conduct(at: FailingRow.metadata, .changesDocument(change))
    }

    /// Returns the findings about the broker with `settings` added.
    func findings(
        _ settings: String = "", provider: String = "", issuer: String? = nil, timeout: Int = 10, client: String = "us",
        variables: [String: String] = [:]
    ) async throws -> [String] {
        let configuration = try Self.configuration(
            "client_id: \(client), issuer: \"\(issuer ?? self.front.url)\", timeout: \(timeout), \(settings)",
            provider: provider)
        var lines: [String] = []
        try await OnlineCheck(configuration, variables: variables, now: self.clock.now).run {
            lines += $0.map(\.description)
        }
        return lines.map { $0.replacing(issuer ?? self.front.url, with: "ISSUER") }
    }

    /// Returns a configuration with keys for everything that we sign or decrypt.
    static func configuration(_ broker: String, provider: String = "") throws -> Configuration {
        let keys = try ServerPEM.get()
        let files = FileAccess(
            read: { path throws(FileError) in
                switch path {
                case "server.key": return try KeyGenerator.file(.server)
                case "es256.pem": return keys.es256
                case "rsa.pem": return keys.rsaDecryption
                default: return try FileAccess.system.read(path)
                }
            }, isFolder: FileAccess.system.isFolder)
        let yaml = Self.yaml(
            broker, provider: provider, server: "server.key",
            keys: "{signing: [{file: es256.pem}], decryption: [{file: rsa.pem}]}")
        return try Configuration(ConfigurationSource(name: "test", yaml: Array(yaml.utf8), flags: [], files: files))
    }

    static func yaml(_ broker: String, provider: String = "", server: String, keys: String) -> String {
        """
        public_url: http://127.0.0.1:1
        store: memory
        server_keys: ["\(server)"]
        keys: \(keys)
        apps: {demo: {name: Demo, release: immediate}}
        brokers:
          main: {kind: oidc, allow_insecure_loopback: true, \(broker)}
        providers: {demo: {broker: main, names: {en: Demo}, prompt: login\(provider)}}
        """
    }
}
