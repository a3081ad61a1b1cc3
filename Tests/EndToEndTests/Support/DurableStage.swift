/// A folder with a configuration and a SQLite file, for servers that are processes of their own, and a sandbox provider
/// behind a `FaultyFront`.
import EventLoop
import Foundation
import HTTPServer
import JOSE
import Sandbox
import Switchback
import TestSupport

final class DurableStage: Sendable {
    let front: FaultyFront
    let sandbox: SandboxProvider
    let url: String
    let operations: String
    let folder: String
    private let loops: [EventLoop]
    private let port: UInt16

    static let clientSecret = "the-client-secret-of-the-durable-stage"
    static let immediate = "apps: {demo: {name: Demo, release: immediate}}"

    /// `settings` are lines of YAML, `provider` more of the provider's settings, `store` those of its store; without them a
    /// SQLite file in the folder.
    init(_ settings: String = immediate, provider: String = "", store: String? = nil) throws {
        let front = try FaultyFront()
        let sandbox = try SandboxProvider(issuer: front.url, now: WallClock.now)
        let loops = try EventLoop.makeLoops(count: 1)
        guard let any = Listen("127.0.0.1:0") else { throw TestClient.Failure(description: "listen") }
        front.handOn(to: try sandbox.start(listen: any, loops: loops))
        try front.start()
        let (port, operations) = (try FreePort.find(), try FreePort.find())
        try sandbox.register(
            SandboxClient(
                clientID: "us", secret: Secret(Self.clientSecret),
                redirectURIs: ["http://127.0.0.1:\(port)/callback/main"],
                authentication: .secretBasic))
        let folder = NSTemporaryDirectory() + "switchback-durable-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(try KeyGenerator.file(.server)).write(to: URL(filePath: "\(folder)/server.key"))
        let yaml = """
            public_url: http://127.0.0.1:\(port)
            listen: 127.0.0.1:\(port)
            operations_listen: 127.0.0.1:\(operations)
            public_dir: \(RunningServer.publicFolder)
            \(store ?? "sqlite: {path: \(folder)/data/switchback.db}")
            server_keys: [\(folder)/server.key]
            drain_delay: 0
            \(settings)
            brokers:
              main: {kind: oidc, issuer: "\(front.url)", client_id: us, client_secret: \(Self.clientSecret), allow_insecure_loopback: true}
            providers:
              demo: {broker: main, names: {en: Sandbox}, prompt: login\(provider)}
            """
        try yaml.write(toFile: "\(folder)/switchback.yaml", atomically: true, encoding: .utf8)
        self.front = front
        self.sandbox = sandbox
        self.loops = loops
        self.folder = folder
        self.port = port
        self.url = "http://127.0.0.1:\(port)"
        self.operations = "http://127.0.0.1:\(operations)"
        DescribedAnswers.begin(port: port)
    }

    var database: String { "\(self.folder)/data/switchback.db" }

    /// All that its servers have said.
    var log: String { (try? String(contentsOfFile: "\(self.folder)/output", encoding: .utf8)) ?? "" }

    /// What is started, by another program where one is named.
    func start(by wrapper: [String] = [], _ flags: [String] = []) throws -> ChildProcess {
        let words = wrapper + [Self.binary, "serve", "--config", "\(self.folder)/switchback.yaml"] + flags
        return try ChildProcess(
            path: words[0], Array(words.dropFirst()), in: self.folder, output: "\(self.folder)/output")
    }

    /// Starts a server, and returns when it is ready.
    func serve(by wrapper: [String] = []) async throws -> ChildProcess {
        try await Self.ready(try self.start(by: wrapper), self.operations)
    }

    /// Starts a server on other ports, as one more behind the same load balancer.
    func serveBeside() async throws -> (process: ChildProcess, url: String) {
        let (port, operations) = (try FreePort.find(), try FreePort.find())
        let flags = ["--listen", "127.0.0.1:\(port)", "--operations-listen", "127.0.0.1:\(operations)"]
        let process = try await Self.ready(try self.start(by: [], flags), "http://127.0.0.1:\(operations)")
        return (process, "http://127.0.0.1:\(port)")
    }

    /// Runs `switchback migrate` as another role. False when it fails.
    func migrate(at url: String, with password: String? = nil, granting role: String) throws -> Bool {
        let variables = [("URL", url), ("PASSWORD", password)].compactMap { name, value in
            value.map { "SWITCHBACK_POSTGRESQL__\(name)=\($0)" }
        }
        let words =
            variables + [
                Self.binary, "migrate", "--config", "\(self.folder)/switchback.yaml",
                "--grant", role,
            ]
        return try ChildProcess(path: "/usr/bin/env", words, in: self.folder).end()
    }

    private static var binary: String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "switchback").path
    }

    private static func ready(_ process: ChildProcess, _ operations: String) async throws -> ChildProcess {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline, process.isRunning {
            if let answer = try? await TestClient.send("GET", "\(operations)/readyz"), answer.status == 200 {
                return process
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        process.terminate()
        throw TestClient.Failure(description: "the server does not start")
    }

    func stop() async {
        DescribedAnswers.end(port: self.port)
        self.front.stop()
        await self.sandbox.close()
        for loop in self.loops { loop.close() }
        try? FileManager.default.removeItem(atPath: self.folder)
    }
}
