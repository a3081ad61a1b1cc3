import Base
import EventLoop
import HTTPServer
import Sandbox
import TestSupport

/// A sandbox provider behind a `FaultyFront` with one client: a server at `port`.
package final class FrontedSandbox: Sendable {
    package static let clientSecret = "the-client-secret-of-the-stages"

    package let front: FaultyFront
    package let provider: SandboxProvider
    /// The ports for the server and its operations.
    package let port: UInt16
    package let operationsPort: UInt16
    private let loops: [EventLoop]

    package init() throws {
        self.front = try FaultyFront()
        self.provider = try SandboxProvider(issuer: self.front.url, now: WallClock.now)
        self.loops = try EventLoop.makeLoops(count: 1)
        guard let any = ListenAddress("127.0.0.1:0") else { throw TestClient.Failure(description: "listen") }
        self.front.handOn(to: try self.provider.start(listen: any, loops: self.loops))
        try self.front.start()
        (self.port, self.operationsPort) = (try FreePort.find(), try FreePort.find())
        try self.provider.register(
            SandboxClient(
                clientID: "us", secret: Secret(Self.clientSecret),
                redirectURIs: ["http://127.0.0.1:\(self.port)/callback/main"], authentication: .secretBasic))
        DescribedAnswers.begin(port: self.port)
    }

    /// The broker settings of the server.
    package var settings: String {
        """
        kind: oidc, issuer: "\(self.front.url)", client_id: us, client_secret: \(Self.clientSecret), \
        allow_insecure_loopback: true
        """
    }

    package func stop() async {
        DescribedAnswers.end(port: self.port)
        self.front.stop()
        await self.provider.close()
        for loop in self.loops { loop.close() }
    }
}
