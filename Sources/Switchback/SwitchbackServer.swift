import Base
import Brokers
import EventLoop
import HTTPServer
import HTTPWire
import Logging
import LoginAPI
import Logins
import Preflight
import ServerConfiguration
import ServiceLifecycle
import Sessions
import Telemetry
import Traces

/// The complete server: created from a configuration, started, and stopped without losing a login.
package final class SwitchbackServer: Sendable {
    /// The addresses it listens on. Where port 0 was configured, they contain the port that the system chose.
    package struct ListenAddresses: Sendable {
        package let app: ListenAddress
        package let operations: ListenAddress
    }

    /// What a sandbox puts before the server. `serve` has none.
    package struct Front: Sendable {
        let handler: @Sendable (any RequestHandler) -> any RequestHandler
        let exchanges: any ExchangeRecorder

        package init(
            handler: @escaping @Sendable (any RequestHandler) -> any RequestHandler,
            exchanges: any ExchangeRecorder
        ) {
            self.handler = handler
            self.exchanges = exchanges
        }
    }

    /// After `drain_delay`, the shutdown ends within this time or closes what is left. With the default delay that
    /// makes 29 seconds after SIGTERM; Kubernetes kills after 30.
    package static let stoppingTime = Duration.seconds(24)

    /// How long clients have to finish their requests after we stop accepting connections. Work that these requests
    /// start, such as a code exchange, takes at most ten more seconds.
    private static let shutdownTimeout = Duration.seconds(12)
    /// The minimum time for the last responses if code exchanges have used up the rest.
    private static let finalResponseTime = Duration.seconds(2)
    /// The time for the last spans.
    private static let lastExportTime = Duration.seconds(2)

    private let history: SnapshotHistory
    private let logger: Logger
    private let log: LogWriter?
    private let metrics: ServerMetrics
    private let lines: RepeatedLines
    private let requests: RequestRecorder
    private let loops: [EventLoop]
    private let flow: LoginFlow
    private let sessions: ConfiguredSessions
    private let handler: CurrentHandler
    private let readiness: Readiness
    private let store: ConfiguredStore
    private let keys: ConfiguredKeyRing
    private let now: @Sendable () -> Timestamp
    /// Measures waiting times. It does not jump when the time of day is set.
    private let clock: any Clock<Duration>
    private let app: HTTPServer
    /// Nil if nothing is traced.
    private let tracing: ConfiguredTracing?
    /// Nil if nothing is recorded.
    private let audit: ConfiguredAudit?
    /// Nil if `listen` uses plain HTTP.
    private let tls: ServerTLS?
    private let operations: HTTPServer

    /// `log` is what `logger` writes with, if it does. Throws why the server cannot be made: a file of `Public`, a
    /// certificate, or an error of the operating system.
    package init(
        configuration: Configuration, logger: Logger, log: LogWriter? = nil,
        sockets: ActivatedSockets = ActivatedSockets(),
        front: Front? = nil,
        now: @escaping @Sendable () -> Timestamp = WallClock.now, clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        try sockets.check(configuration.proxy)
        let metrics = ServerMetrics()
        let lines = RepeatedLines(logger)
        let loops = try EventLoop.makeLoops()
        let tracing = try ConfiguredTracing(configuration, loop: loops[0], metrics, lines)
        let store = try ConfiguredStore(configuration, loop: loops[0], logger: logger)
        let keys = ConfiguredKeyRing(configuration, store: store.keyRing, logger: logger, now: now)
        let limits = LimitRecorder(metrics: metrics, lines: lines)
        let record = LoginRecorder(
            logger: logger, metrics: metrics, lines: lines, limits: limits, tracer: tracing?.tracer)
        let budget = DescriptorBudget(configuration, limit: Descriptors.raiseLimit())
        if let shortage = budget.shortage { logger.warning("descriptors_limited", metadata: ["reason": "\(shortage)"]) }
        let requests = RequestRecorder(logger: logger, metrics: metrics, lines: lines, limits: limits)
        let snapshot = try ConfigurationSnapshot(
            configuration, loop: loops[0], metrics: metrics, lines: lines, limits: limits, keys: keys, now: now)
        let audit = try ConfiguredAudit(configuration, keys.keeper, logger: logger, now: now)
        let observed = store.observed(metrics.store, tracing?.store)
        let flow = LoginFlow(
            snapshot.loginConfiguration, store: observed, now: now,
            observe: audit.map { $0.observing(record.observe) } ?? record.observe,
            count: metrics.loginStages.count)
        let sessionRecord = SessionRecorder(logger: logger, metrics: metrics, lines: lines)
        let sessions = ConfiguredSessions(
            snapshot.sessions, store: observed, now: now,
            observe: audit.map { $0.observing(sessionRecord.observe) } ?? sessionRecord.observe)
        let handler = CurrentHandler(
            try snapshot.handler(
                flow, sessions: sessions.flow, former: [], after: nil, requests: requests,
                tracer: tracing?.requests, audit: audit, now: now))
        let readiness = Readiness(store: store.logins, keys: keys)
        let tls = try ServerTLS.make(configuration)
        configuration.logCertificates(logger, at: now())
        configuration.logProviders(logger)
        let app = HTTPServer(
            listen: configuration.listen, inherited: sockets.app, sharesPort: configuration.reusesPort, loops: loops,
            limits: ServerLimits(configuration, budget), proxies: configuration.proxy.speakers,
            handler: front?.handler(handler) ?? handler, observer: requests, tls: tls, exchanges: front?.exchanges)
        snapshot.register(in: metrics, now: now)
        metrics.registry.observeProviders(of: configuration)
        metrics.registry.observe(Metric.longPolls) { Double(flow.waitingCount) }
        metrics.registry.observe(Metric.pendingLogins) { Double(store.pending()) }
        metrics.registry.observePool(of: store)
        if let log { metrics.registry.observe(Metric.logLinesDropped) { Double(log.dropped) } }
        audit?.register(in: metrics.registry)
        metrics.registry.observe(Metric.httpConnections) { Double(app.openConnections) }
        let history = SnapshotHistory(snapshot)
        self.operations = HTTPServer(
            listen: configuration.operationsListen, inherited: sockets.operations, loops: [loops[0]],
            limits: .operations,
            handler: OperationsHandler(
                readiness: { await readiness.findObstacles() }, metrics: { metrics.registry.exposition() },
                notes: NoteReader(flow) { history.current.configuration.recorder.token.map { Secret($0) } }))
        self.history = history
        self.logger = logger
        self.log = log
        self.metrics = metrics
        self.lines = lines
        self.requests = requests
        self.loops = loops
        self.flow = flow
        self.sessions = sessions
        self.handler = handler
        self.readiness = readiness
        self.store = store
        self.keys = keys
        self.now = now
        self.clock = clock
        self.app = app
        self.tracing = tracing
        self.audit = audit
        self.tls = tls
    }

    /// What `/metrics` answers.
    package func exposition() -> [UInt8] { self.metrics.registry.exposition() }

    /// Reads the automatic keys for the first time, if the store answers.
    package func readKeys() async {
        await self.keys.keeper.read()
        guard self.keys.keeper.isPassive, self.keys.keySets(at: self.now()) != nil else { return }
        // Servers have left keys that must be published until they end.
        await self.retire(always: true)
    }

    /// Starts to listen. Returns when both ports accept connections.
    package func start() throws -> ListenAddresses {
        let places: ListenAddresses
        do {
            places = ListenAddresses(app: try self.app.start(), operations: try self.operations.start())
        } catch {
            self.audit?.trail.closeAtOnce()
            throw error
        }
        self.readiness.begin()
        self.tracing?.exporter.start(by: self.clock)
        self.noteReload(nil, succeeded: true)
        self.logger.info("listening", metadata: self.described(places))
        return places
    }

    private func described(_ places: ListenAddresses) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "public_url": "\(self.history.current.configuration.publicURL.text)",
            "version": "\(ServerVersion.text)",
        ]
        for (prefix, place) in [("", places.app), ("operations_", places.operations)] {
            switch place {
            case .tcp(_, let port): metadata["\(prefix)port"] = .stringConvertible(Int(port))
            case .unix(let path): metadata["\(prefix)socket"] = "\(path)"
            }
        }
        return metadata
    }

    /// Stops the server. First `/readyz` fails while connections are still served. Then long polls get their responses,
    /// code exchanges finish, and connections close.
    package func stop() async { await self.stop(by: self.clock) }

    private func stop<C: Clock>(by clock: C) async where C.Duration == Duration {
        self.readiness.end()
        self.app.endKeepAlive()
        self.logger.info("stopping")
        let delay = self.history.current.configuration.drainDelay
        try? await clock.sleep(until: clock.now.advanced(by: delay), tolerance: nil)
        let end = clock.now.advanced(by: Self.shutdownTimeout)
        self.app.stopAccepting()
        self.handler.current.stopLongPolls()
        await self.flow.finish()
        let isEmpty = await self.app.drain(within: max(Self.finalResponseTime, clock.now.duration(to: end)))
        // Waits for work started by callbacks that were still arriving.
        await self.flow.finish()
        _ = await self.operations.drain(within: .seconds(1))
        await self.audit?.trail.close()
        await self.tracing?.exporter.stop(within: Self.lastExportTime)
        for snapshot in self.history.all { await snapshot.close() }
        // Before the loops, because the store may use one.
        await self.store.close()
        for loop in self.loops { loop.close() }
        self.lines.flushAll()
        self.logger.info("stopped", metadata: ["cut_off": .stringConvertible(!isEmpty)])
    }

    /// Serves until SIGTERM or SIGINT, then stops. Calls `started` once it accepts connections, and `stopping` when it
    /// starts to stop. With a `reloader`, SIGHUP loads the configuration again.
    package func run(
        reloader: Reloader? = nil, started: @escaping @Sendable () async -> Void = {},
        stopping: @escaping @Sendable () -> Void = {}
    ) async throws {
        let service = ServerService(server: self, reloader: reloader, started: started, stopping: stopping)
        // The package would log the same events a second time.
        var logger = self.logger
        logger.logLevel = .critical
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        let second = SecondSignalHandler(
            limit: { self.history.current.configuration.drainDelay + Self.stoppingTime }, logger: self.logger,
            flush: { _ = self.log?.flush() })
        defer { second.cancel() }
        try await group.run()
    }

    fileprivate func sweepUntilCancelled() async {
        let tidy: @Sendable (Timestamp) async -> Void = { now in
            await self.store.tidy(now)
            await self.retire()
        }
        let sweeper = Sweeper(
            flow: self.flow, sessions: { self.sessions.flow }, tidy: tidy, now: self.now)
        await WorkContext(self.tracing?.tracer).run { await sweeper.run(by: self.clock) }
    }

    fileprivate func tendKeysUntilCancelled() async { await self.keys.tendUntilCancelled() }

    /// Not part of the sweep, because a sweep may wait for a store that does not respond.
    fileprivate func writeLinesUntilCancelled() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            self.lines.flush()
            self.audit?.noteAutomaticKeys(self.history.current.configuration)
            self.audit?.trail.tick()
        }
    }
}

// MARK: - Reloading

extension SwitchbackServer {
    /// How often the configuration files are checked for changes. Zero means never.
    package var reloadInterval: Duration { self.history.current.configuration.reloadInterval }

    /// The time of a key change that is due. Nil if none is due.
    var dueKeyChange: Timestamp? {
        let next = self.history.current.configuration.nextKeyChange
        return next.flatMap { $0 <= self.now() ? $0 : nil }
    }

    /// Uses this configuration for logins and requests that begin from now on. Those in progress end under their own
    /// configuration. If it throws, nothing has changed. Settings that are read only at the start keep their values.
    package func reload(_ newConfiguration: Configuration) async throws {
        let former = self.history.current.configuration
        let configuration = newConfiguration.keepingCertificates(of: former, at: self.now(), self.logger)
        try configuration.checkKeys(after: former)
        let snapshot = try ConfigurationSnapshot(
            configuration, loop: self.loops[0], metrics: self.metrics, lines: self.lines,
            limits: self.requests.limits, keys: self.keys, now: self.now)
        let sessions = self.sessions.flow(under: snapshot.sessions)
        do {
            let handler = try self.handler(of: snapshot, sessions, former: self.history.all)
            try self.replaceTLS(with: configuration)
            self.handler.replace(with: handler)
        } catch {
            await snapshot.close()
            throw error
        }
        self.log?.level = configuration.log.level
        let limit = Descriptors.raiseLimit()
        let budget = DescriptorBudget(configuration, limit: limit)
        if let shortage = budget.shortage, shortage != DescriptorBudget(former, limit: limit).shortage {
            self.logger.warning("descriptors_limited", metadata: ["reason": "\(shortage)"])
        }
        self.app.replaceConnectionLimits(with: ServerLimits(configuration, budget))
        self.store.renew(configuration)
        self.keys.renew(configuration)
        let since = self.flow.replaceConfiguration(with: snapshot.loginConfiguration)
        self.sessions.replace(with: sessions, under: snapshot.sessions)
        self.history.replace(with: snapshot) { since }
        self.audit?.reload(configuration)
        let formerCertificates = self.history.all.dropLast().flatMap { $0.certificates }
        self.metrics.registry.forget(formerCertificates)
        snapshot.register(in: self.metrics, now: self.now)
        self.metrics.registry.observeProviders(of: configuration, after: former)
        configuration.logCertificates(self.logger, at: self.now())
        configuration.logProviders(self.logger, after: former)
    }

    /// Records the result of the latest reload in the metrics.
    func noteReload(_ cause: ReloadCause?, succeeded: Bool) {
        self.metrics.noteReload(cause, succeeded: succeeded, at: self.now())
    }

    private func handler(
        of snapshot: ConfigurationSnapshot, _ sessions: SessionFlow?, former: [ConfigurationSnapshot]
    ) throws -> PublicHandler {
        try snapshot.handler(
            self.flow, sessions: sessions, former: former, after: self.handler.current, requests: self.requests,
            tracer: self.tracing?.requests, audit: self.audit, now: self.now)
    }

    private func replaceTLS(with configuration: Configuration) throws {
        guard let tls = self.tls, configuration.tls != nil else { return }
        try tls.replace(with: configuration)
    }

    /// What waits for a restart although it can be reloaded otherwise: whether the server uses TLS at all is decided when
    /// it starts to listen.
    var settingsWaitingForRestart: [String] {
        (self.tls == nil) == (self.history.current.configuration.tls == nil) ? [] : ["tls.certificate"]
    }

    func noteWaitingSettings(_ count: Int) { self.metrics.noteWaitingSettings(count) }

    /// Drops the configuration snapshots that no login needs any more.
    private func retire(always: Bool = false) async {
        let now = self.now()
        self.flow.retireConfigurations(at: now)
        let retiredSnapshots = self.history.retire(at: now)
        guard always || !retiredSnapshots.isEmpty else { return }
        let (current, former) = (self.history.current, self.history.all.dropLast())
        do {
            self.handler.replace(with: try self.handler(of: current, self.sessions.flow, former: Array(former)))
        } catch {
            // The current handler works too; it only knows more than it needs.
            self.logger.warning("configuration_not_retired", metadata: ["reason": "\(error)"])
        }
        self.metrics.loginStages.retain(self.history.all.reduce(into: []) { $0.formUnion($1.stageGroups) })
        let remainingBrokers = self.history.summary
        for snapshot in retiredSnapshots {
            await snapshot.close()
            for broker in snapshot.brokerNames.subtracting(remainingBrokers) {
                self.metrics.registry.forget(broker: broker)
            }
        }
    }
}

/// The server as a service, from its start to the end of its graceful shutdown.
private struct ServerService: Service, CustomStringConvertible {
    /// The package describes a service, and would walk through everything that the server holds.
    let description = "switchback"
    let server: SwitchbackServer
    let reloader: Reloader?
    let started: @Sendable () async -> Void
    let stopping: @Sendable () -> Void

    func run() async throws {
        await self.server.readKeys()
        _ = try self.server.start()
        await self.reloader?.listen()
        await self.started()
        let sweepTask = Task { await self.server.sweepUntilCancelled() }
        let keyTask = Task { await self.server.tendKeysUntilCancelled() }
        let reloadTask = Task { await self.reloader?.run() }
        let lineTask = Task { await self.server.writeLinesUntilCancelled() }
        try? await gracefulShutdown()
        self.stopping()
        sweepTask.cancel()
        keyTask.cancel()
        reloadTask.cancel()
        lineTask.cancel()
        await self.server.stop()
    }
}
