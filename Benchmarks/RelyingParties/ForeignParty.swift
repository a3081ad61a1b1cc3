/// A relying party that others wrote, with the provider of its logins and their browser.
import Base
import EventLoop
import Foundation
import HTTPServer
import JOSE
import Sandbox
import Served
import Support
import TestSupport

final class ForeignParty: RelyingParty {
    /// Where it listens, and who its provider is. Its redirect URI is `/callback`.
    struct Place {
        let url: String
        let port: UInt16
        let folder: String
        let issuer: String
    }

    let name: String
    private let url: String
    private let start: String
    private let folder: String
    private let sandbox: SandboxProvider
    private let loops: [EventLoop]
    private let browser: Browser
    private let process: ChildProcess

    /// Starts it, and returns when it answers. Its page `start` demands a login, and ends at a page that says "logged
    /// in".
    init(
        name: String, start: String = "/", connections: Int, launch: (Place) throws -> ChildProcess
    ) async throws {
        let folder = NSTemporaryDirectory() + "switchback-benchmark-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (port, loops) = (try FreePort.find(), try EventLoop.makeLoops(count: 2))
        let (url, sandbox) = ("http://localhost:\(port)", try SandboxProvider(now: WallClock.now))
        guard let any = ListenAddress("127.0.0.1:0") else { throw BrowserError("listen") }
        _ = try sandbox.start(listen: any, loops: loops)
        try sandbox.register(
            SandboxClient(
                clientID: "them", secret: Secret("secret"), redirectURIs: ["\(url)/callback"],
                authentication: .secretBasic, idTokenAlgorithm: .rs256))
        self.name = name
        self.url = url
        self.start = start
        self.folder = folder
        self.sandbox = sandbox
        self.loops = loops
        self.browser = try Browser(loop: loops[0], connections: connections)
        self.process = try launch(Place(url: url, port: port, folder: folder, issuer: sandbox.issuer))
        try await self.untilReady()
    }

    var cpuSeconds: Double { get throws { try ProcessStat.cpuSeconds(ofFamily: self.process.id) } }

    func requests(of endpoint: RequestLog.Endpoint) -> Int { self.sandbox.count(of: endpoint) }

    func logIn(fault: String) async throws -> Bool {
        let end = try await self.browser.logIn(at: self.url + self.start, of: self.url, fault: fault)
        return end.status == 200 && String(decoding: end.body, as: UTF8.self).contains("logged in")
    }

    func stop() async {
        await self.browser.close()
        self.process.send(SIGTERM)
        _ = self.process.end()
        await self.sandbox.close()
        for loop in self.loops { loop.close() }
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
