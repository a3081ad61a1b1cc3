/// A relying party in a process of its own.
import Base
import EventLoop
import Foundation
import HTTPServer
import JOSE
import Sandbox
import Served
import TestSupport

protocol RelyingParty: Sendable {
    var name: String { get }

    /// The CPU time that all its processes have used, in seconds.
    var cpuSeconds: Double { get throws }

    /// The CPU time that its database has used, in seconds. Nil if it has none.
    var databaseSeconds: Double? { get throws }

    /// Runs a login in which the provider makes this mistake, or none. Returns whether the user is logged in.
    func logIn(fault: String) async throws -> Bool

    /// How many requests of this kind its provider has had.
    func requests(of endpoint: RequestLog.Endpoint) -> Int

    func stop() async
}

extension RelyingParty {
    var databaseSeconds: Double? { get throws { nil } }
}

/// Switchback with a store, and the app that polls it.
final class SwitchbackParty: RelyingParty {
    let name: String
    private let store: ServedStore
    private let server: ServerUnderTest

    init(_ store: ServedStore, _ binary: String, connections: Int) async throws {
        self.name = "Switchback, \(store.rawValue)"
        self.store = store
        self.server = try await ServerUnderTest(
            store, binary: binary, connections: connections, algorithm: .rs256)
    }

    var cpuSeconds: Double { get throws { try self.server.preciseCPUSeconds } }

    var databaseSeconds: Double? {
        get throws {
            guard self.store == .postgresql, let postmaster = try PostgresServer.shared().processID else { return nil }
            return try ForeignParty.cpuSeconds(of: postmaster)
        }
    }

    func logIn(fault: String) async throws -> Bool { try await self.server.client.logIn(fault: fault) }

    func requests(of endpoint: RequestLog.Endpoint) -> Int { self.server.sandbox.count(of: endpoint) }

    func stop() async { await self.server.stop() }
}

/// A relying party that somebody else wrote, the provider of its logins, and their browser.
final class ForeignParty: Sendable {
    let url: String
    let folder: String
    let issuer: String
    private let sandbox: SandboxProvider
    private let loops: [EventLoop]
    let browser: Browser

    /// `path` is the path of its redirect URI.
    init(path: String, connections: Int) throws {
        self.folder = NSTemporaryDirectory() + "switchback-benchmark-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        let port = try FreePort.find()
        self.url = "http://localhost:\(port)"
        self.loops = try EventLoop.makeLoops(count: 2)
        self.sandbox = try SandboxProvider(now: WallClock.now)
        guard let any = ListenAddress("127.0.0.1:0") else { throw BrowserError("listen") }
        _ = try self.sandbox.start(listen: any, loops: self.loops)
        try self.sandbox.register(
            SandboxClient(
                clientID: "them", secret: Secret("secret"), redirectURIs: ["\(self.url)\(path)"],
                authentication: .secretBasic, idTokenAlgorithm: .rs256))
        self.issuer = self.sandbox.issuer
        self.browser = try Browser(loop: self.loops[0], connections: connections)
    }

    func requests(of endpoint: RequestLog.Endpoint) -> Int { self.sandbox.count(of: endpoint) }

    var port: String { String(self.url.split(separator: ":").last ?? "") }

    /// Returns when it answers.
    func untilReady(_ process: ChildProcess) async throws {
        for _ in 0..<500 where process.isRunning {
            if (try? await self.browser.get("\(self.url)/")) != nil { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw BrowserError("it does not start: see \(self.folder)")
    }

    func stop(_ process: ChildProcess) async {
        await self.browser.close()
        process.send(SIGTERM)
        _ = process.end()
        await self.sandbox.close()
        for loop in self.loops { loop.close() }
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    /// The CPU time of this process and of its children, in seconds: the fields of proc_pid_stat(5), in ticks of 10 ms.
    static func cpuSeconds(of parent: Int32) throws -> Double {
        var ticks = 0.0
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int32(name) != nil {
            guard let line = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8) else { continue }
            // The second field is the name in brackets, which may contain spaces.
            let fields = line[(line.lastIndex(of: ")") ?? line.startIndex)...].split(separator: " ")
            guard fields.count > 12, Int32(name) == parent || Int32(fields[2]) == parent else { continue }
            ticks += (Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)
        }
        return ticks / 100
    }
}
