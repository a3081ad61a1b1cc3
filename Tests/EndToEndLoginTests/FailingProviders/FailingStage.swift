import Base
import EndToEndSupport
import EventLoop
import HTTPServer
import KeyFiles
import Logging
import Sandbox
import ServerConfiguration
import StrictJSON
import Switchback
import Telemetry
import TestSupport
import Testing

/// A server whose only broker is the sandbox provider behind a `FaultyFront`; all of them share one clock.
final class FailingStage: Sendable {
    /// A provider whose link the browser opens, and one whose authorize URL is made when the login is created.
    static let provider = "go"
    static let directProvider = "direct"

    let front: FaultyFront
    let clock = TestClock()
    let log = CapturedLog()
    let url: String
    private let operations: String
    private let port: UInt16
    private let sandbox: SandboxProvider
    private let server: SwitchbackServer
    private let loops: [EventLoop]

    /// The sandbox's own port, behind the front.
    let upstream: UInt16

    init(_ broker: FailingBroker = FailingBroker()) async throws {
        let front = try FaultyFront()
        let issuer = broker.issuer ?? front.url
        if broker.isUp { try front.start() }
        let sandbox = try SandboxProvider(
            issuer: issuer, system: broker.system, mutualTLS: broker.mutualTLS, now: self.clock.now)
        let loops = try EventLoop.makeLoops(count: 1)
        guard let any = ListenAddress("127.0.0.1:0") else { throw TestClient.Failure(description: "listen") }
        self.upstream = try sandbox.start(listen: any, loops: loops)
        front.handOn(to: self.upstream)
        let (port, operationsPort) = (try FreePort.find(), try FreePort.find())
        let configuration = try Self.configuration(
            port, operationsPort,
            "kind: \(broker.kind), issuer: \"\(issuer)\", timeout: \(broker.timeout), \(broker.settings)",
            broker.provider)
        try sandbox.register(broker.client(redirectURI: "http://127.0.0.1:\(port)/callback/main"))
        let log = self.log
        let logger = Logger(label: "test") { _ in
            LineLogHandler(.json, level: .debug, now: WallClock.now, write: { log.append($0) })
        }
        self.server = try SwitchbackServer(configuration: configuration, logger: logger, now: self.clock.now)
        self.front = front
        self.sandbox = sandbox
        self.loops = loops
        self.port = port
        self.url = configuration.publicURL.text
        self.operations = "http://127.0.0.1:\(operationsPort)"
        DescribedAnswers.begin(port: port)
        _ = try self.server.start()
    }

    func stop() async {
        await self.server.stop()
        DescribedAnswers.end(port: self.port)
        self.front.stop()
        await self.sandbox.close()
        for loop in self.loops { loop.close() }
    }

    private static func configuration(
        _ port: UInt16, _ operationsPort: UInt16, _ broker: String, _ more: String
    ) throws -> Configuration {
        let direct = "{broker: main, names: {en: Sandbox}, prompt: login, authorize: direct}"
        let yaml = """
            public_url: http://127.0.0.1:\(port)
            listen: 127.0.0.1:\(port)
            operations_listen: 127.0.0.1:\(operationsPort)
            store: memory
            server_keys: [server.key]
            drain_delay: 0
            limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0}
            apps: {demo: {name: Demo, release: immediate}}
            brokers:
              main:
                {client_id: us, allow_insecure_loopback: true, \(broker)}
            providers:
              \(Self.provider): {broker: main, names: {en: Sandbox}, prompt: login\(more)}
              \(more.isEmpty ? "\(Self.directProvider): \(direct)" : "")
            """
        let key = try KeyGenerator.file(.server)
        let files = FileAccess(
            read: { path throws(FileError) in
                path == "server.key" ? key : try FileAccess.system.read(path)
            }, isFolder: FileAccess.system.isFolder)
        return try Configuration(ConfigurationSource(name: "test", yaml: Array(yaml.utf8), flags: [], files: files))
    }

    // MARK: - Readiness, metrics and log

    func isReady() async throws -> Bool {
        try await TestClient.send("GET", "\(self.operations)/readyz").status == 200
    }

    /// Returns a metric of the broker: `metric("up")` reads `switchback_broker_up`.
    func metric(_ name: String) async throws -> Double? { try await self.sample("\(name){broker=\"main\"} ") }

    /// Returns how many requests ended like this, from `switchback_broker_requests_total`.
    func requests(_ purpose: String, _ outcome: String) async throws -> Double? {
        try await self.sample("requests_total{broker=\"main\",purpose=\"\(purpose)\",outcome=\"\(outcome)\"} ")
    }

    private func sample(_ name: String) async throws -> Double? {
        let text = try await TestClient.send("GET", "\(self.operations)/metrics").text
        let start = "switchback_broker_\(name)"
        let line = text.split(separator: "\n").first { $0.hasPrefix(start) }
        return line.flatMap { Double($0.dropFirst(start.count)) }
    }

    /// Returns the `broker_error` of each log line of this event.
    func brokerErrors(_ event: String, _ expected: Int = 1) async throws -> [String] {
        try await self.log.brokerErrors(event, expected: expected)
    }

    // MARK: - Logins

    func open(_ app: PhoneApp) async throws -> ScriptedBrowser {
        let created = try await app.create(Self.provider)
        #expect(created.status == 201)
        return try await ScriptedBrowser(opening: try #require(created.nextURL))
    }

    /// Runs a whole login, from its creation to its final state.
    func logIn(fault: String = "") async throws -> JSON {
        let app = PhoneApp(self.url)
        var browser = try await self.open(app)
        try await browser.submit(["fault": fault], button: "approve")
        return try await app.waitForEnd()
    }
}
