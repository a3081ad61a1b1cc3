import Base
import EventLoop
import Foundation
import HTTPServer
import Sandbox
import TestSupport

/// A provider of the sandbox in this process, over http or behind nginx with TLS.
package final class ServedProvider: Sendable {
    package enum Scheme: String, CaseIterable, Sendable {
        case http, https

        /// The schemes that can be measured on this machine: TLS needs nginx.
        package static var installed: [Scheme] {
            self.allCases.filter { $0 == .http || FileManager.default.fileExists(atPath: "/usr/sbin/nginx") }
        }
    }

    package let sandbox: SandboxProvider
    package let loops: [EventLoop]
    /// The authority of its certificate, as the path of a PEM file. Nil over http.
    package let authority: String?
    private let certificates: TestCertificates?
    private let front: NginxFront?

    /// Starts it on loopback.
    package init(_ scheme: Scheme, _ client: SandboxClient) throws {
        guard let any = ListenAddress("127.0.0.1:0") else { throw BrowserError("listen") }
        let loops = try EventLoop.makeLoops(count: 2)
        switch scheme {
        case .http:
            self.sandbox = try SandboxProvider(clients: [client], now: WallClock.now)
            _ = try self.sandbox.start(listen: any, loops: loops)
            (self.certificates, self.authority, self.front) = (nil, nil, nil)
        case .https:
            let (port, certificates) = (try FreePort.find(), try TestCertificates([.good]))
            self.sandbox = try SandboxProvider(
                issuer: "https://localhost:\(port)", clients: [client], now: WallClock.now)
            let upstream = try self.sandbox.start(listen: any, loops: loops)
            self.front = try NginxFront(port: port, upstream: upstream, certificates: certificates)
            (self.certificates, self.authority) = (certificates, certificates.authority)
        }
        self.loops = loops
    }

    package var issuer: String { self.sandbox.issuer }

    package func stop() async {
        self.front?.stop()
        await self.sandbox.close()
        for loop in self.loops { loop.close() }
        self.certificates?.remove()
    }
}
