import Base
import Foundation
import KeyFiles
import Sandbox
import TestSupport

/// A folder with a configuration and a SQLite file for server processes, and a sandbox provider behind a `FaultyFront`.
package final class DurableStage: Sendable {
    private let broker: FrontedSandbox
    package let url: String
    package let operations: String
    /// The port of `url`.
    package var appPort: UInt16 { self.broker.port }
    /// The port of `operations`.
    package var operationsPort: UInt16 { self.broker.operationsPort }
    package let folder: String
    private let store: String

    package static let immediate = "apps: {demo: {name: Demo, release: immediate}}"

    package var front: FaultyFront { self.broker.front }
    package var sandbox: SandboxProvider { self.broker.provider }

    /// `settings` are lines of YAML, `provider` is added to the provider's settings, and `store` replaces the store's
    /// settings; the default store is a SQLite file in the folder.
    package init(_ settings: String = immediate, provider: String = "", store: String? = nil) throws {
        let broker = try FrontedSandbox()
        let folder = NSTemporaryDirectory() + "switchback-durable-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try SystemFile.create("\(folder)/server.key", try KeyGenerator.file(.server))
        self.broker = broker
        self.folder = folder
        self.url = "http://127.0.0.1:\(broker.port)"
        self.operations = "http://127.0.0.1:\(broker.operationsPort)"
        self.store = store ?? "sqlite: {path: \(folder)/data/switchback.db}"
        try self.configure(settings, provider: provider)
    }

    /// Writes the configuration again. `name` is the provider's.
    package func configure(
        _ settings: String, provider: String = "", broker: String = "", named name: String = "demo",
        serverKeys: [String] = ["server.key"]
    ) throws {
        let yaml = """
            public_url: \(self.url)
            listen: 127.0.0.1:\(self.broker.port)
            operations_listen: 127.0.0.1:\(self.broker.operationsPort)
            \(self.store)
            server_keys: [\(serverKeys.map { "\(self.folder)/\($0)" }.joined(separator: ", "))]
            drain_delay: 0
            \(settings)
            brokers:
              main: {\(self.broker.settings)\(broker)}
            providers:
              \(name): {broker: main, names: {en: Sandbox}, prompt: login\(provider)}
            """
        try yaml.write(toFile: "\(self.folder)/switchback.yaml", atomically: true, encoding: .utf8)
    }

    package var database: String { "\(self.folder)/data/switchback.db" }

    /// The output of all its servers.
    package var log: String { (try? String(contentsOfFile: "\(self.folder)/output", encoding: .utf8)) ?? "" }

    /// Starts the server, or the program `wrapper` with the server's command line.
    package func start(by wrapper: [String] = [], _ flags: [String] = []) throws -> ChildProcess {
        let words = wrapper + [Self.binary, "serve", "--config", "\(self.folder)/switchback.yaml"] + flags
        return try ChildProcess(
            path: words[0], Array(words.dropFirst()), in: self.folder, output: "\(self.folder)/output")
    }

    /// Starts a server and waits until it is ready.
    package func serve(by wrapper: [String] = []) async throws -> ChildProcess {
        try await Self.ready(try self.start(by: wrapper), self.operations, log: { self.log })
    }

    /// Starts a server on other ports, as another replica behind the same load balancer.
    package func serveBeside() async throws -> (process: ChildProcess, url: String) {
        let (port, operations) = (try FreePort.find(), try FreePort.find())
        let flags = ["--listen", "127.0.0.1:\(port)", "--operations-listen", "127.0.0.1:\(operations)"]
        let process = try await Self.ready(
            try self.start(by: [], flags), "http://127.0.0.1:\(operations)", log: { self.log })
        return (process, "http://127.0.0.1:\(port)")
    }

    /// Runs `switchback migrate`, and grants `role` its rights. Returns false when it fails.
    package func migrate(at url: String, with password: String? = nil, granting role: String) throws -> Bool {
        let variables = [("URL", url), ("PASSWORD", password)].compactMap { name, value in
            value.map { "SWITCHBACK_POSTGRESQL__\(name)=\($0)" }
        }
        let words = variables + [Self.binary, "migrate", "--grant", role]
        return try ChildProcess(path: "/usr/bin/env", words, in: self.folder).end()
    }

    package static var binary: String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "switchback").path
    }

    /// Waits until the server is ready. `log` is for the error if it ends before, or takes too long.
    package static func ready(
        _ process: ChildProcess, _ operations: String, log: () -> String = { "" }
    ) async throws -> ChildProcess {
        let deadline = Patience.end
        while ContinuousClock.now < deadline, process.isRunning {
            if let answer = try? await TestClient.send("GET", "\(operations)/readyz"), answer.status == 200 {
                return process
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        let outcome = process.isRunning ? "is not ready in time" : "has ended"
        process.terminate()
        throw TestClient.Failure(description: "the server \(outcome): \(log().suffix(2000))")
    }

    package func stop() async {
        await self.broker.stop()
        try? FileManager.default.removeItem(atPath: self.folder)
    }
}

extension DurableStage {
    /// Waits for the first log line with this event after `count` characters, and returns it.
    package func says(_ event: String, after count: Int = 0) async throws -> Substring {
        let deadline = Patience.end
        while ContinuousClock.now < deadline {
            let lines = self.log.dropFirst(count).split(separator: "\n", omittingEmptySubsequences: false)
            // The last line may be incomplete.
            if let line = lines.dropLast().first(where: { $0.contains(event) }) { return line }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw TestClient.Failure(description: "no \(event) in the log: \(self.log.suffix(2000))")
    }
}
