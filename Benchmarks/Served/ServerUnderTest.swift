import Base
import Foundation
import JOSE
import KeyFiles
import Sandbox
import TestSupport

/// `switchback serve` as a separate process, with a sandbox provider in this one.
package final class ServerUnderTest: Sendable {
    package let client: LoginClient
    package let port: UInt16
    package var url: String { "http://127.0.0.1:\(self.port)" }
    fileprivate let process: ChildProcess
    package let provider: ServedProvider
    package let folder: String

    /// `connections` is the largest number of concurrent requests, and `cores` is in the format of taskset(1). With
    /// `sessions`, the app has them, and a login needs its link. `algorithm` signs the provider's ID tokens, and
    /// `scheme` is the provider's.
    package init(
        _ store: ServedStore, binary: String, connections: Int, cores: String? = nil, sessions: Bool = false,
        algorithm: SignatureAlgorithm = .es256, scheme: ServedProvider.Scheme = .http
    ) async throws {
        let folder = NSTemporaryDirectory() + "switchback-benchmark-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (port, operations) = (try FreePort.find(), try FreePort.find())
        let provider = try ServedProvider(
            scheme,
            SandboxClient(
                clientID: "us", secret: Secret("secret"), redirectURIs: ["http://127.0.0.1:\(port)/callback/main"],
                authentication: .secretBasic, idTokenAlgorithm: algorithm))
        let authority = provider.authority.map { ", ca_file: \"\($0)\"" } ?? ""
        try SystemFile.create("\(folder)/server.key", try KeyGenerator.file(.server))
        let yaml = """
            public_url: http://127.0.0.1:\(port)
            listen: 127.0.0.1:\(port)
            operations_listen: 127.0.0.1:\(operations)
            \(try store.settings(in: folder))
            server_keys: [\(folder)/server.key]
            login_lifetime: 3600
            limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0, broker_calls_per_address_per_minute: 0, pending_logins: 2000000}
            log: {level: warning}
            apps: {demo: \(Self.app(sessions))}
            brokers:
              main: {kind: oidc, issuer: "\(provider.issuer)", client_id: us, client_secret: secret, allow_insecure_loopback: true, id_token_algorithms: [\(algorithm.rawValue)]\(authority)}
            providers:
              demo: {broker: main, names: {en: Sandbox}, prompt: login\(sessions ? ", session: unlock" : "")}
            \(sessions ? try Self.sessionKeys(in: folder) : "")
            """
        try yaml.write(toFile: "\(folder)/switchback.yaml", atomically: true, encoding: .utf8)
        self.folder = folder
        self.port = port
        self.provider = provider
        self.client = try LoginClient(
            server: "http://127.0.0.1:\(port)",
            browser: Browser(loop: provider.loops[0], connections: connections, authority: provider.authority))
        let command = ["serve", "--config", "\(folder)/switchback.yaml"]
        let root = FileManager.default.currentDirectoryPath
        self.process =
            if let cores {
                try ChildProcess(tool: "taskset", ["-c", cores, binary] + command, in: root)
            } else {
                try ChildProcess(path: binary, command, in: root)
            }
        try await self.untilReady("http://127.0.0.1:\(operations)/readyz")
    }

    package func stop() async {
        await self.client.close()
        self.process.terminate()
        _ = self.process.end()
        await self.provider.stop()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    private static func app(_ hasSessions: Bool) -> String {
        guard hasSessions else { return "{name: Demo, release: immediate}" }
        return """
            {name: Demo, release: return_link, return_prefixes: ["\(LoginClient.returnPrefix)"], session: unlock, \
            session_audience: "https://api.example"}
            """
    }

    /// Writes the keys of sessions, and returns their setting.
    private static func sessionKeys(in folder: String) throws -> String {
        try SystemFile.create("\(folder)/access.key", try KeyGenerator.file(.es256))
        try SystemFile.create("\(folder)/session.key", try KeyGenerator.file(.session))
        return "keys: {access: [{file: \(folder)/access.key}], session: [{file: \(folder)/session.key}]}"
    }

    private func untilReady(_ url: String) async throws {
        for _ in 0..<500 where self.process.isRunning {
            if await self.client.answers(url) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        self.process.terminate()
        throw LoginClient.Failure(description: "the server does not start: run it by hand with the same settings")
    }
}

extension ServerUnderTest {
    /// The CPU time that it has used, by the clock of that process (clock_getcpuclockid(3)).
    package var cpuSeconds: Double {
        get throws {
            var (clock, time) = (clockid_t(), timespec())
            guard clock_getcpuclockid(self.process.id, &clock) == 0, clock_gettime(clock, &time) == 0 else {
                throw LoginClient.Failure(description: "no clock shows the server's CPU time")
            }
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }
}
