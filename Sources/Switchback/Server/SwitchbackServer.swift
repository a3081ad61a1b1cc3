/// The whole server: made from a configuration, started, and stopped without losing a login.
import Brokers
import EventLoop
import HTTPServer
import JOSE
import Logging
import Logins
import ServiceLifecycle

package final class SwitchbackServer: Sendable {
    /// Where it listens; the ports that the system chose where 0 was configured.
    package struct Ports: Sendable {
        package let app: UInt16
        package let operations: UInt16
    }

    /// Everything under way has so long to end.
    private static let patience = Duration.seconds(20)

    private let configuration: Configuration
    private let logger: Logger
    private let loops: [EventLoop]
    private let fetches: [BrokerFetch]
    private let flow: LoginFlow
    private let handler: PublicHandler
    private let readiness: Readiness
    private let store: OpenStore
    private let now: @Sendable () -> Timestamp
    private let app: HTTPServer
    /// Nil where `listen` speaks plain HTTP.
    private let tls: ServerTLS?
    private let operations: HTTPServer

    /// Throws what keeps it from starting: a file of `Public`, a certificate, the system.
    package init(
        configuration: Configuration, logger: Logger, now: @escaping @Sendable () -> Timestamp = WallClock.now
    ) throws {
        let metrics = ServerMetrics()
        let loops = try EventLoop.makeLoops()
        let store = try OpenStore(configuration, loop: loops[0], logger: logger)
        let record = LoginRecord(logger: logger, metrics: metrics)
        let requests = RequestRecord(logger: logger, metrics: metrics)
        let fetches = try configuration.brokers.map {
            try BrokerFetch(
                $0, insecureHosts: configuration.insecureHosts, loop: loops[0], metrics: metrics, logger: logger,
                now: now)
        }
        let brokers = zip(configuration.brokers, fetches).map { broker, fetch in
            broker.made(of: configuration, fetch: fetch.fetch, now: now)
        }
        guard let keys = ServerKeys(configuration.serverKeys.compactMap { ServerKey($0) }) else {
            preconditionFailure("a checked configuration has a server key")
        }
        let flow = LoginFlow(
            LoginFlow.Settings(configuration), store: store.logins, keys: keys, providers: configuration.providers,
            brokers: brokers, now: now, observe: record.observe)
        let folder = PublicFolder(configuration.publicFolder)
        let settings = PublicSettings(configuration)
        let handler = PublicHandler(
            settings, flow: flow, pages: try Pages(folder, apps: settings.apps),
            files: try PublicFiles(folder, keys: configuration.keySet), now: now,
            observe: requests.answered)
        let readiness = Readiness(store: store.logins)
        let tls = try ServerTLS.make(configuration, logger: logger, now: now())
        let app = HTTPServer(
            listen: configuration.listen, loops: loops, limits: ServerLimits(configuration), handler: handler,
            observer: requests, tls: tls)
        for (broker, fetch) in zip(brokers, fetches) { metrics.registry.observe(broker, fetch.state, now: now) }
        metrics.registry.observe(.heldPolls) { Double(flow.waiting) }
        metrics.registry.observe(.pendingLogins) { Double(store.pending()) }
        metrics.registry.observe(.httpConnections) { Double(app.openConnections) }
        self.operations = HTTPServer(
            listen: configuration.operationsListen, loops: [loops[0]],
            handler: OperationsHandler(
                readiness: { await readiness.obstacles() }, metrics: { metrics.registry.exposition() }))
        self.configuration = configuration
        self.logger = logger
        self.loops = loops
        self.fetches = fetches
        self.flow = flow
        self.handler = handler
        self.readiness = readiness
        self.store = store
        self.now = now
        self.app = app
        self.tls = tls
    }

    /// Listens. Returns when both ports take connections.
    package func start() throws -> Ports {
        let ports = Ports(app: try self.app.start(), operations: try self.operations.start())
        self.readiness.begin()
        self.logger.info(
            "listening",
            metadata: [
                "public_url": "\(self.configuration.publicURL.text)", "port": "\(ports.app)",
                "operations_port": "\(ports.operations)", "version": "\(ServerVersion.text)",
            ])
        return ports
    }

    /// Stops: first `/readyz` fails while connections are still served, then held polls are answered with what is true,
    /// exchanges finish, connections close.
    package func stop() async {
        self.readiness.end()
        self.logger.info("stopping")
        try? await Task.sleep(for: self.configuration.drainDelay)
        self.app.stopAccepting()
        self.handler.stopHolding()
        await self.flow.finish()
        let isEmpty = await self.app.drain(within: Self.patience)
        // What callbacks have begun that were half here.
        await self.flow.finish()
        _ = await self.operations.drain(within: .seconds(1))
        for fetch in self.fetches { await fetch.close() }
        // The store may work on a loop.
        await self.store.close()
        for loop in self.loops { loop.close() }
        self.logger.info("stopped", metadata: ["cut_off": "\(!isEmpty)"])
    }

    /// Serves until SIGTERM or SIGINT, then stops. Does `started` as soon as it takes connections.
    package func run(started: @escaping @Sendable () async -> Void = {}) async throws {
        let serving = Serving(server: self, started: started)
        // The package's own lines would be a second voice about the same events.
        var logger = self.logger
        logger.logLevel = .critical
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: serving, successTerminationBehavior: .gracefullyShutdownGroup)],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }

    /// Starts a login as an app would, for a sandbox to show. Nil when it is refused.
    package func startLogin(app: String, provider: String) async -> (id: String, secret: String, url: String)? {
        let secret = PollSecret.make()
        let request = LoginRequest(provider: provider, app: app)
        guard let login = try? await self.flow.create(request, secret: secret).view,
            case .openBrowser(let url, _)? = login.next
        else { return nil }
        return (login.id.description, secret.exposedText, url)
    }

    fileprivate func sweepUntilCancelled() async {
        await Sweeper(flow: self.flow, tidy: self.store.tidy, logger: self.logger, now: self.now).run()
    }
}

/// The server as a service: from the start to the end of a graceful shutdown.
private struct Serving: Service {
    let server: SwitchbackServer
    let started: @Sendable () async -> Void

    func run() async throws {
        _ = try self.server.start()
        await self.started()
        let sweeping = Task { await self.server.sweepUntilCancelled() }
        try? await gracefulShutdown()
        sweeping.cancel()
        await self.server.stop()
    }
}
