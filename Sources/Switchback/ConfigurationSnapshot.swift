import Base
import BrokerTransport
import Brokers
import EventLoop
import JOSE
import KeyRing
import LoginAPI
import Logins
import OpenIDConnect
import Preflight
import ServerConfiguration
import Sessions
import Telemetry

/// A configuration snapshot: everything that is made from one configuration and replaced as a whole by the next one.
struct ConfigurationSnapshot: LastingConfiguration {
    let configuration: Configuration
    let loginConfiguration: LoginConfiguration
    /// Nil without keys for sessions.
    let sessions: SessionConfiguration?
    /// Its certificates, as their files were when it was loaded.
    let certificates: [CertificateInUse]
    private let keys: ConfiguredKeyRing
    private let brokers: [(broker: any Broker, fetch: BrokerFetch, record: BrokerRecorder)]

    /// Throws if a part cannot be made, usually because of a certificate.
    init(
        _ configuration: Configuration, loop: EventLoop, metrics: ServerMetrics, lines: RepeatedLines,
        limits: LimitRecorder, keys ring: ConfiguredKeyRing, now: @escaping @Sendable () -> Timestamp
    ) throws {
        let signer = { (algorithm: SignatureAlgorithm) in
            configuration.signer(.signing, algorithm, ring.keeper)
        }
        let brokers = try configuration.brokers.map { broker in
            let record = BrokerRecorder(broker.id, metrics: metrics, lines: lines, limits: limits, now: now)
            let fetch = try BrokerFetch(
                configuration.outbound(to: broker), timeout: broker.timeout,
                connections: configuration.limits.brokerConnections, loop: loop, observer: record,
                name: broker.id, sendsTraceParent: broker.sendsTraceParent)
            let signingBroker = ring.keeper.uses.contains(.signing) ? broker.signing(with: signer) : broker
            let newBroker = signingBroker.makeBroker(
                of: configuration, fetch: fetch.fetch, now: now, onUnusableKeys: record.unusable,
                onNote: record.noted)
            return (broker: newBroker, fetch: fetch, record: record)
        }
        guard let keys = ServerKeys(configuration.serverKeys.compactMap { ServerKey($0) }) else {
            preconditionFailure("a checked configuration has a server key")
        }
        self.configuration = configuration
        self.keys = ring
        self.brokers = brokers
        self.certificates = CertificateInUse.all(in: configuration)
        self.sessions = configuration.sessionConfiguration(with: ring.keeper)
        self.loginConfiguration = LoginConfiguration(
            LoginSettings(configuration), keys: keys, providers: configuration.providers,
            brokers: brokers.map(\.broker))
    }

    /// The groups in which its logins are counted by stage. A login with a platform that its app does not configure
    /// adds one.
    var stageGroups: Set<StageCounts.Group> {
        self.configuration.apps.reduce(into: []) { groups, app in
            for provider in self.configuration.releases(of: app).keys {
                for platform in app.platforms {
                    groups.insert(StageCounts.Group(app: app.id, provider: provider, platform: platform))
                }
            }
        }
    }

    /// Registers its gauges, and those of its brokers. They replace earlier ones with the same names. Its logins are
    /// shown in the counts of stages from now on.
    func register(in metrics: ServerMetrics, now: @escaping @Sendable () -> Timestamp) {
        metrics.loginStages.show(self.stageGroups)
        let registry = metrics.registry
        let statusList = self.configuration.attestation.statusList
        registry.observe(Metric.statusListWrittenAt) { statusList.map { Double($0.writtenAt.milliseconds) / 1000 } }
        registry.observe(self.certificates, now: now)
        registry.observeLimits(of: self.configuration)
        registry.observeKeys(of: self.configuration, self.keys.keeper, now: now)
        for (broker, fetch, record) in self.brokers {
            registry.observe(broker, record.state, now: now)
            registry.observePools(of: fetch, to: broker.id)
        }
    }

    var longestLogin: Duration { self.loginConfiguration.longestLogin }

    /// The names of its brokers.
    var brokerNames: Set<String> { Set(self.brokers.map(\.broker.id)) }

    /// Returns the handler for requests. It also knows what logins need that began under `former` snapshots.
    func handler(
        _ flow: LoginFlow, sessions: SessionFlow?, former: [ConfigurationSnapshot], after handler: PublicHandler?,
        requests: RequestRecorder, tracer: RequestTracer?, audit: ConfiguredAudit?,
        now: @escaping @Sendable () -> Timestamp
    ) throws -> PublicHandler {
        let folder = try PublicFolder(self.configuration.publicFolder)
        let settings = PublicSettings(self.configuration, self.keys.keeper)
        // A page shows the names of the login's app and e-ID, and brokers may still look for the former client keys.
        let apps = former.reversed().reduce(into: settings.apps) { apps, snapshot in
            apps.merge(PublicSettings(snapshot.configuration).apps) { newer, _ in newer }
        }
        let providers = former.reversed().reduce(into: self.configuration.providerNames) { names, snapshot in
            names.merge(snapshot.configuration.providerNames) { newer, _ in newer }
        }
        let clientKeys = former.reversed().reduce(self.configuration.clientKeySet) {
            $0.adding($1.configuration.clientKeySet)
        }
        let files = try PublicFiles(
            folder, assertionKeys: self.configuration.assertionKeySet, clientKeys: clientKeys,
            discovery: DiscoveryDocument(self.configuration).json,
            accessKeys: self.configuration.accessKeys.isEmpty ? nil : self.configuration.accessKeySet,
            automaticKeys: self.keys.keySets(at: now()), looks: apps.values.map(\.look))
        try files.checkLogos(of: settings.providers, in: folder)
        let pages = try Pages(
            folder, apps: apps, providers: providers, notices: self.configuration.providerNotices,
            settings: PageSettings(self.configuration))
        return PublicHandler(
            settings, flow: flow, sessions: sessions, pages: pages, files: files, now: now,
            observe: requests.recordCompleted, observeRefused: requests.recordRefused,
            observeLimit: requests.limits.note, tracer: tracer,
            audit: audit?.desk(for: self.configuration), after: handler)
    }

    func close() async {
        for (_, fetch, _) in self.brokers { await fetch.close() }
    }
}

/// The history of snapshots. It has the times of the history that logins have, so both drop the same configurations.
/// Its summary is the names of all brokers.
typealias SnapshotHistory = ConfigurationHistory<ConfigurationSnapshot, Set<String>>

extension ConfigurationHistory where Configuration == ConfigurationSnapshot, Summary == Set<String> {
    convenience init(_ first: ConfigurationSnapshot) {
        self.init(first) { $0.reduce(into: []) { names, snapshot in names.formUnion(snapshot.brokerNames) } }
    }
}

extension Configuration.App {
    /// The platforms that its logins may name, and nil for logins that name none. An app with only a scheme does not say
    /// which phones it is for.
    fileprivate var platforms: [AuthorizationContext.Platform?] {
        var platforms: [AuthorizationContext.Platform?] = [nil]
        let isForAnyPhone = self.appleIDs.isEmpty && self.androidApps.isEmpty
        if isForAnyPhone || !self.appleIDs.isEmpty { platforms.append(.ios) }
        if isForAnyPhone || !self.androidApps.isEmpty { platforms.append(.android) }
        if !self.origins.isEmpty { platforms.append(.web) }
        return platforms
    }
}

extension Configuration {
    /// The names of each provider, by language.
    fileprivate var providerNames: [String: [String: String]] {
        Dictionary(uniqueKeysWithValues: self.providers.map { ($0.id, $0.names) })
    }

    /// The operator's words about each provider that is switched off, by language.
    fileprivate var providerNotices: [String: [String: String]] {
        Dictionary(uniqueKeysWithValues: self.providers.filter { !$0.isEnabled }.map { ($0.id, $0.notices) })
    }
}

extension MetricsRegistry {
    /// Shows the days that each certificate has left. Of two with one file, the one that ends first counts.
    fileprivate func observe(_ certificates: [CertificateInUse], now: @escaping @Sendable () -> Timestamp) {
        for certificate in certificates.sorted(by: { $0.notAfter > $1.notAfter }) {
            self.observe(Metric.certificateDaysLeft, [certificate.use.rawValue, certificate.file]) {
                certificate.daysLeft(at: now())
            }
        }
    }

    /// Shows them no more.
    func forget(_ certificates: [CertificateInUse]) {
        for certificate in certificates { self.forgetCertificate(certificate.use.rawValue, certificate.file) }
    }
}
