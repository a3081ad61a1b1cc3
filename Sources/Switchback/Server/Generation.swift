/// What is made of one configuration and replaced as a whole by the next: the rules of its logins and the clients of its
/// brokers.
import Base
import Brokers
import EventLoop
import Logging
import Logins
import OpenIDConnect

struct Generation: Sendable {
    let configuration: Configuration
    let rules: LoginRules
    private let brokers: [(broker: any Broker, fetch: BrokerFetch)]

    /// Throws what keeps it from being made: a certificate, above all.
    init(
        _ configuration: Configuration, loop: EventLoop, metrics: ServerMetrics, logger: Logger,
        now: @escaping @Sendable () -> Timestamp
    ) throws {
        let fetches = try configuration.brokers.map {
            try BrokerFetch(
                $0, insecureHosts: configuration.insecureHosts, connections: configuration.limits.brokerConnections,
                loop: loop, metrics: metrics, logger: logger, now: now)
        }
        let brokers = zip(configuration.brokers, fetches).map { broker, fetch in
            (broker: broker.made(of: configuration, fetch: fetch.fetch, now: now), fetch: fetch)
        }
        guard let keys = ServerKeys(configuration.serverKeys.compactMap { ServerKey($0) }) else {
            preconditionFailure("a checked configuration has a server key")
        }
        self.configuration = configuration
        self.brokers = brokers
        self.rules = LoginRules(
            LoginFlow.Settings(configuration), keys: keys, providers: configuration.providers,
            brokers: brokers.map(\.broker))
    }

    /// Its brokers' gauges, in place of those of other brokers with the same names.
    func register(in registry: MetricsRegistry, now: @escaping @Sendable () -> Timestamp) {
        for (broker, fetch) in self.brokers { registry.observe(broker, fetch.state, now: now) }
    }

    /// The names of its brokers.
    var brokerNames: Set<String> { Set(self.brokers.map(\.broker.id)) }

    /// Answers requests as it says, and those about logins that began under `former` ones with what these need.
    func handler(
        _ flow: LoginFlow, former: [Generation], after handler: PublicHandler?, requests: RequestRecord,
        now: @escaping @Sendable () -> Timestamp
    ) throws -> PublicHandler {
        let folder = PublicFolder(self.configuration.publicFolder)
        let settings = PublicSettings(self.configuration)
        // Pages name the app of their login, and brokers look for the keys that they were shown.
        let apps = former.reversed().reduce(into: settings.apps) { apps, generation in
            apps.merge(PublicSettings(generation.configuration).apps) { newer, _ in newer }
        }
        let clientKeys = former.reversed().reduce(self.configuration.clientKeySet) {
            $0.adding($1.configuration.clientKeySet)
        }
        let files = try PublicFiles(
            folder, assertionKeys: self.configuration.assertionKeySet, clientKeys: clientKeys,
            discovery: DiscoveryDocument(self.configuration).json)
        for provider in settings.providers {
            guard let logo = provider.logo, !logo.hasPrefix("https://"), files.assets[logo] == nil else { continue }
            throw folder.failure("assets/\(logo)", "is not there, and is the logo of providers.\(provider.id)")
        }
        return PublicHandler(
            settings, flow: flow, pages: try Pages(folder, apps: apps),
            files: files, now: now, observe: requests.answered, observeRefused: requests.refused,
            after: handler)
    }

    func close() async {
        for (_, fetch) in self.brokers { await fetch.close() }
    }
}
