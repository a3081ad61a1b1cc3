/// Runs a sandbox: the provider that plays the broker, the page that plays the app, and the server between them.
import EventLoop
import HTTPServer
import JOSE
import Sandbox
import Switchback

enum SandboxRunning {
    /// Until SIGTERM or SIGINT.
    static func run(_ plan: SandboxPlan, publicFolder: String?) async throws {
        let secret = KeyGenerator.word()
        let configuration = try plan.configuration(secret: secret, publicFolder: publicFolder)
        let loops = try EventLoop.makeLoops(count: 1)
        let provider = try SandboxProvider(
            issuer: plan.issuer, clients: Self.clients(plan, configuration, secret), now: WallClock.now)
        _ = try provider.start(listen: try Self.listen(plan.address(1)), loops: loops)
        let links = HTTPServer(listen: try Self.listen(plan.address(3)), loops: loops, handler: AppLinkPage())
        _ = try links.start()

        let server = try SwitchbackServer(configuration: configuration, logger: LogOutput.logger(configuration.log))
        try await server.run { Output.result(await SandboxTour(plan, server).text) }
        await links.close()
        await provider.close()
        for loop in loops { loop.close() }
    }

    private static func clients(
        _ plan: SandboxPlan, _ configuration: Configuration, _ secret: String
    ) -> [SandboxClient] {
        let keys = JWKSet(configuration.signingKeys.map(\.jwk))
        return SandboxFlow.all.map { flow in
            SandboxClient(
                clientID: "switchback-\(flow.rawValue)", secret: flow.isSigned ? nil : Secret(secret), keys: keys,
                redirectURIs: ["\(plan.publicURL)/callback/\(flow.rawValue)"],
                authentication: flow.isSigned ? .privateKeyJWT : .secretBasic,
                idTokenAlgorithm: flow.isSigned ? .es256 : .rs256, requiresRequestObject: flow.isSigned,
                onwardOrigins: [plan.linkURL])
        }
    }

    private static func listen(_ address: String) throws -> Listen {
        guard let listen = Listen(address) else { throw SandboxPlan.NoAddress(text: address) }
        return listen
    }
}

extension SandboxPlan {
    struct NoAddress: Error, CustomStringConvertible {
        let text: String

        var description: String { "\(self.text) is no address to listen on" }
    }
}
