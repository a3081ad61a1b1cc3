/// Runs a sandbox: the simulated brokers, the pages of the simulated phone, and the server between them.
import Base
import EventLoop
import HTTPServer
import JOSE
import KeyFiles
import Sandbox
import ServerConfiguration
import Switchback
import Telemetry

enum SandboxRunner {
    /// Runs until SIGTERM or SIGINT.
    static func run(_ plan: SandboxPlan, publicFolder: String?) async throws {
        let secret = KeyGenerator.word()
        let configuration = try plan.configuration(secret: secret, publicFolder: publicFolder)
        let loops = try EventLoop.makeLoops(count: 1)
        let clients = Self.clients(plan, configuration, secret)
        let providers = try SandboxSystem.allCases.map { system in
            let provider = try SandboxProvider(
                issuer: plan.origin(of: system), system: system, clients: clients[system] ?? [],
                pollInterval: .seconds(1), now: WallClock.now)
            let address = plan.address(SandboxPlan.offset(of: system))
            _ = try provider.start(listen: try Self.listen(address), loops: loops)
            return provider
        }
        let call = try SandboxPhoneTransport(plan, loop: loops[0])
        let phone = SandboxPhone(
            origin: plan.linkURL,
            apps: [
                SandboxPhone.App(id: "demo", name: "Sandbox app"),
                SandboxPhone.App(id: SandboxPlan.sessionApp, name: "Sandbox bank, with a session after the login"),
                SandboxPhone.App(id: "kiosk", name: "Sandbox kiosk, which asks for no proof"),
            ],
            sessions: SandboxPhone.Sessions(app: SandboxPlan.sessionApp, server: plan.publicURL, api: plan.api),
            send: { try await call.answer(to: $0) }, now: WallClock.now)
        let links = HTTPServer(listen: try Self.listen(plan.address(3)), loops: loops, handler: phone)
        _ = try links.start()

        let server = try SwitchbackServer(configuration: configuration, logger: LogOutput.logger(configuration.log))
        try await server.run { Console.printResult(await SandboxTour(plan, server).text) }
        await links.close()
        await call.close()
        for provider in providers { await provider.close() }
        for loop in loops { loop.close() }
    }

    private static func clients(
        _ plan: SandboxPlan, _ configuration: Configuration, _ secret: String
    ) -> [SandboxSystem: [SandboxClient]] {
        let keys = JWKSet(configuration.signingKeys.map(\.jwk))
        return Dictionary(grouping: SandboxFlow.allCases, by: \.system).mapValues { flows in
            flows.map { flow in
                let base = flow.answersApp ? plan.linkURL : plan.publicURL
                return SandboxClient(
                    clientID: "switchback-\(flow.rawValue)", secret: flow.isSigned ? nil : Secret(secret), keys: keys,
                    redirectURIs: ["\(base)/callback/\(flow.rawValue)"],
                    authentication: flow.isSigned ? .privateKeyJWT : .secretBasic,
                    idTokenAlgorithm: flow.isSigned ? .es256 : .rs256, requiresRequestObject: flow.isSigned,
                    onwardOrigins: [plan.linkURL])
            }
        }
    }

    private static func listen(_ address: String) throws -> ListenAddress {
        guard let listen = ListenAddress(address) else { throw SandboxPlan.AddressError(text: address) }
        return listen
    }
}

extension SandboxPlan {
    struct AddressError: Error, CustomStringConvertible {
        let text: String

        var description: String { "\(self.text) is not an address to listen on" }
    }
}
