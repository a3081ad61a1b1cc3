import Base
import EventLoop
import HTTPServer
import JOSE
import KeyFiles
import Sandbox
import ServerConfiguration
import Switchback
import Telemetry

/// Runs a sandbox: the simulated brokers, the pages of the simulated phone, and the server between them.
enum SandboxRunner {
    /// Runs until SIGTERM or SIGINT. `log` gets each line of the log as JSON, in place of standard error, and `answered`
    /// each request of the server that a broker has answered. A terminal gets a line for each call of `timeline`, and only
    /// the warnings of the log.
    static func run(
        _ plan: SandboxPlan, publicFolder: String?, timeline: SandboxTimeline? = nil,
        log: (@Sendable (_ line: [UInt8]) -> Void)? = nil,
        answered: @escaping @Sendable (_ request: String, _ status: Int) -> Void = { _, _ in },
        started: @escaping @Sendable () async -> Void
    ) async throws {
        try Self.checkPorts(plan)
        let secret = KeyGenerator.word()
        let configuration = try plan.configuration(secret: secret, publicFolder: publicFolder)
        let loops = try EventLoop.makeLoops(count: 1)
        let recorder = CallRecorder(now: WallClock.now) { call in
            timeline?.show(call, at: WallClock.now())
            guard call.from == .switchback, call.to == .broker, let status = call.status else { return }
            answered("\(call.method) \(call.path.prefix { $0 != "?" })", status)
        }
        let clients = Self.clients(plan, configuration, secret)
        let providers = try SandboxSystem.allCases.map { system in
            let provider = try SandboxProvider(
                issuer: plan.origin(of: system), system: system, clients: clients[system] ?? [],
                pollInterval: .seconds(1), now: WallClock.now)
            let address = plan.address(SandboxPlan.offset(of: system))
            _ = try provider.start(listen: try Self.listen(address), loops: loops, recorder: recorder)
            return provider
        }
        let call = try SandboxPhoneTransport(plan, loop: loops[0])
        let switches = SandboxFaultSwitches(
            providers: Dictionary(uniqueKeysWithValues: zip(SandboxSystem.allCases, providers)),
            configuration: configuration)
        let faults = PhoneFaults { await switches.set($0, isOn: $1, for: $2) }
        let user = SandboxUser(links: [plan.linkURL] + plan.pageOrigins) { try await call.answer(to: $0) }
        let api = SandboxAPI(recorder: recorder, faults: faults, user: user)
        let front = SwitchbackServer.Front(
            handler: { SandboxFront(home: plan.linkURL + "/", api: api, server: $0, recorder: recorder) },
            exchanges: recorder)
        let lines = LoginLog(now: WallClock.now)
        let writer = log == nil ? LogWriter(configuration.log) : nil
        defer { writer?.flush() }
        let level = timeline == nil ? configuration.log.level : .critical
        let copy: @Sendable ([UInt8]) -> Void = { line in
            lines.take(line)
            timeline?.show(logged: line, at: WallClock.now())
        }
        let logger =
            writer.map { LogOutput.logger(level: level, to: $0, copy: copy) }
            ?? LogOutput.logger { log?($0) }
        let server = try SwitchbackServer(
            configuration: configuration, logger: logger, log: writer, front: front)
        switches.run(server)
        let phone = SandboxPhone(
            origin: plan.linkURL,
            apps: [
                SandboxPhone.App(id: "demo", name: "Sandbox app", note: "opens by a link"),
                SandboxPhone.App(
                    id: SandboxPlan.sessionApp, name: "Sandbox bank", note: "with a session"),
                SandboxPhone.App(id: "kiosk", name: "Sandbox kiosk", note: "a shared screen"),
                SandboxPhone.App(id: "desk", name: "Sandbox desk", note: "takes six digits"),
            ],
            sessions: SandboxPhone.Sessions(app: SandboxPlan.sessionApp, server: plan.publicURL, api: plan.api),
            faults: faults, recorder: recorder,
            server: BenchServer(
                issuer: plan.publicURL, log: lines, metricsURL: plan.metricsURL, metrics: { server.exposition() }),
            send: { try await call.answer(to: $0) }, now: WallClock.now)
        var limits = ServerLimits()
        // A client that asks for all recorded calls as events gets them at once.
        limits.unsent = 8 << 20
        let links = HTTPServer(
            listen: try Self.listen(plan.address(3)), loops: loops, limits: limits,
            handler: SandboxLinks(phone: phone, api: api), exchanges: recorder)
        _ = try links.start()

        try await server.run(started: started)
        await links.close()
        await call.close()
        for provider in providers { await provider.close() }
        for loop in loops { loop.close() }
    }

    /// Throws an error with the first port that is not free, and with what to do about it.
    private static func checkPorts(_ plan: SandboxPlan) throws {
        for offset in 0...SandboxPlan.lastOffset {
            let listen = try Self.listen(plan.address(offset))
            do throws(OperatorError) {
                try listen.checkIsFree()
            } catch {
                throw OperatorError("\(error). \(plan.portAdvice)")
            }
        }
    }

    private static func clients(
        _ plan: SandboxPlan, _ configuration: Configuration, _ secret: String
    ) -> [SandboxSystem: [SandboxClient]] {
        let keys = JWKSet(configuration.signingKeys.map(\.jwk))
        let encryption = configuration.decryptionKeys.first.map {
            SandboxClient.Encryption(key: $0.jwk, algorithm: .ecdhES, encryption: .a256GCM)
        }
        return Dictionary(grouping: SandboxFlow.allCases, by: \.system).mapValues { flows in
            flows.map { flow in
                let own = flow == .sandbox_encrypted ? encryption : nil
                let base = flow.answersApp ? plan.linkURL : plan.publicURL
                return SandboxClient(
                    clientID: flow.clientID, name: "The sandbox’s app", secret: flow.isSigned ? nil : Secret(secret),
                    keys: keys,
                    redirectURIs: ["\(base)/callback/\(flow.rawValue)"],
                    authentication: flow.isSigned ? .privateKeyJWT : .secretBasic,
                    idTokenAlgorithm: flow.isSigned ? .es256 : .rs256, requiresRequestObject: flow.isSigned,
                    idTokenEncryption: own, userinfo: own.map { .encrypted($0) } ?? .json,
                    onwardOrigins: [plan.linkURL] + plan.pageOrigins)
            }
        }
    }

    private static func listen(_ address: String) throws -> ListenAddress {
        guard let listen = ListenAddress(address) else {
            throw OperatorError("\(address) is not an address to listen on")
        }
        return listen
    }
}
