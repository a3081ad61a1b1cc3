// Shows in `/metrics` what a configuration says: its limits, its keys and its providers.

import Base
import BrokerTransport
import KeyFiles
import KeyRing
import ServerConfiguration
import Telemetry

extension MetricsRegistry {
    /// Shows the limits that have a setting. One that is switched off is shown no more.
    func observeLimits(of configuration: Configuration) {
        let limits = configuration.limits
        let values: [(ReachedLimit, Int?)] = [
            (.createPerAddress, limits.createPerAddressPerMinute), (.createPerApp, limits.createPerAppPerMinute),
            (.brokerCallsPerAddress, limits.brokerCallsPerAddressPerMinute), (.pendingLogins, limits.pendingLogins),
            (.brokerConnections, limits.brokerConnections), (.connections, limits.connections),
            (.connectionsPerAddress, limits.connectionsPerAddress), (.handshakes, limits.handshakes),
        ]
        for (limit, value) in values {
            let value = value.flatMap { $0 > 0 ? Double($0) : nil }
            self.replace(Metric.limit, [limit.rawValue], value)
        }
    }

    /// Shows how many keys there are in each phase, and how long the active ones have been so. Where an automatic key is
    /// active, its age counts, and not that of the file.
    func observeKeys(
        of configuration: Configuration, _ keeper: KeyRingKeeper, now: @escaping @Sendable () -> Timestamp
    ) {
        for use in KeyUse.allCases {
            let schedule = configuration.keySchedules[use]
            let phases = schedule.map { schedule in schedule.keys.indices.map { schedule.phase($0) } } ?? []
            for phase in KeySchedule.Phase.allCases {
                let fileCount = phases.filter { $0 == phase }.count
                guard keeper.uses.contains(use) else {
                    self.replace(Metric.keys, [use.rawValue, phase.rawValue], Double(fileCount))
                    continue
                }
                self.observe(Metric.keys, [use.rawValue, phase.rawValue]) {
                    let ringKeys = keeper.ring?.published(use, at: now()) ?? []
                    return Double(fileCount + ringKeys.filter { $0.phase(at: now()) == phase }.count)
                }
            }
            let active = zip(phases, schedule?.keys ?? []).filter { $0.0 == .active }.map { $0.1.times }
            let begins = active.compactMap { $0.active ?? $0.created }.min()
            self.observe(Metric.keyAge, [use.rawValue]) {
                let ringKeys = keeper.uses.contains(use) ? keeper.ring?.published(use, at: now()) ?? [] : []
                let automatic = ringKeys.filter { $0.phase(at: now()) == .active }.map(\.activeAt).min()
                return (automatic ?? begins).map { (now() - $0) / .seconds(1) }
            }
        }
    }

    /// Shows which providers are on. Those that only the configuration before this one had are shown no more.
    func observeProviders(of configuration: Configuration, after former: Configuration? = nil) {
        for provider in former?.providers ?? [] {
            self.replace(Metric.providerEnabled, [provider.id, provider.brokerID], nil)
        }
        for provider in configuration.providers {
            self.replace(Metric.providerEnabled, [provider.id, provider.brokerID], provider.isEnabled ? 1 : 0)
        }
    }

    /// Shows the connections to a broker.
    func observePools(of fetch: BrokerFetch, to broker: String) {
        for lane in BrokerFetch.Lane.allCases {
            self.observe(
                pool: lane.rawValue, broker: broker, size: { fetch.load(of: lane).size },
                inUse: { fetch.load(of: lane).inUse }, waiting: { fetch.load(of: lane).waiting })
        }
    }

    /// Shows the connections to the database, if there are any.
    func observePool(of store: ConfiguredStore) {
        guard store.load() != nil else { return }
        self.observe(
            pool: "store", size: { store.load()?.size ?? 0 }, inUse: { store.load()?.inUse ?? 0 },
            waiting: { store.load()?.waiting ?? 0 })
    }
}
