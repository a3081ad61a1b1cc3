import Base
import Foundation
import JOSE
import Sandbox
import Served
import BenchmarkSupport
import TestSupport

/// A relying party that others wrote, with the provider of its logins and their browser.
final class ForeignParty: RelyingParty {
    /// Where it listens, and who its provider is. Its redirect URI is `/callback`.
    struct Place {
        let url: String
        let port: UInt16
        let folder: String
        let issuer: String
        /// The path of a PEM file, if the provider has TLS.
        let authority: String?
    }

    let name: String
    private let url: String
    private let start: String
    private let folder: String
    private let provider: ServedProvider
    private let browser: Browser
    private let process: ChildProcess

    /// Starts it, and returns when it answers. Its page `start` demands a login, and ends at a page that says "logged
    /// in".
    init(
        name: String, start: String = "/", scheme: ServedProvider.Scheme, connections: Int,
        launch: (Place) throws -> ChildProcess
    ) async throws {
        let folder = NSTemporaryDirectory() + "switchback-benchmark-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let port = try FreePort.find()
        let url = "http://localhost:\(port)"
        let provider = try ServedProvider(
            scheme,
            SandboxClient(
                clientID: "them", secret: Secret("secret"), redirectURIs: ["\(url)/callback"],
                authentication: .secretBasic, idTokenAlgorithm: .rs256))
        self.name = name
        self.url = url
        self.start = start
        self.folder = folder
        self.provider = provider
        self.browser = try Browser(
            loop: provider.loops[0], connections: connections, authority: provider.authority)
        self.process = try launch(
            Place(url: url, port: port, folder: folder, issuer: provider.issuer, authority: provider.authority))
        try await self.untilReady()
    }

    var cpuSeconds: Double { get throws { try ProcessStat.cpuSeconds(ofFamily: self.process.id) } }

    func requests(of endpoint: RequestLog.Endpoint) -> Int { self.provider.sandbox.count(of: endpoint) }

    func logIn(fault: String) async throws -> Bool {
        let end = try await self.browser.logIn(at: self.url + self.start, of: self.url, fault: fault)
        return end.status == 200 && String(decoding: end.body, as: UTF8.self).contains("logged in")
    }

    func stop() async {
        await self.browser.close()
        self.process.send(SIGTERM)
        _ = self.process.end()
        await self.provider.stop()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    private func untilReady() async throws {
        for _ in 0..<500 where self.process.isRunning {
            if (try? await self.browser.get("\(self.url)/")) != nil { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw BrowserError("\(self.name) does not start: see \(self.folder)")
    }
}
