// The gauges of each broker. An outage shows here and never in `/readyz`, because other brokers may work.

import Base
import BrokerTransport
import Brokers

extension MetricsRegistry {
    private static let gauges: [Metric] = [
        Metric.brokerUp, Metric.brokerLastSuccess, Metric.brokerClockSkew, Metric.brokerMetadataAge,
        Metric.brokerKeysAge,
    ]
    private static let pools: [Metric] = [Metric.poolSize, Metric.poolInUse, Metric.poolWaiting]

    /// Removes the gauges of a broker that no longer exists.
    package func forget(broker: String) {
        for gauge in Self.gauges { self.forget(gauge, [broker]) }
        for lane in BrokerFetch.Lane.allCases {
            for gauge in Self.pools { self.forget(gauge, [lane.rawValue, broker]) }
        }
    }

    package func observe(_ broker: any Broker, _ state: BrokerState, now: @escaping @Sendable () -> Timestamp) {
        let labels = [broker.id]
        self.observe(Metric.brokerUp, labels) { state.isUp.map { $0 ? 1 : 0 } }
        self.observe(Metric.brokerLastSuccess, labels) { state.lastSuccess.map { Double($0.milliseconds) / 1000 } }
        self.observe(Metric.brokerClockSkew, labels) { state.skew.map(Double.init) }
        self.observe(Metric.brokerMetadataAge, labels) { broker.metadataFetchedAt.map { (now() - $0) / .seconds(1) } }
        self.observe(Metric.brokerKeysAge, labels) { broker.keysFetchedAt.map { (now() - $0) / .seconds(1) } }
    }

    /// Shows a pool of connections. `broker` is `none` for that of the store.
    package func observe(
        pool: String, broker: String = "none", size: @escaping @Sendable () -> Int,
        inUse: @escaping @Sendable () -> Int, waiting: @escaping @Sendable () -> Int
    ) {
        self.observe(Metric.poolSize, [pool, broker]) { Double(size()) }
        self.observe(Metric.poolInUse, [pool, broker]) { Double(inUse()) }
        self.observe(Metric.poolWaiting, [pool, broker]) { Double(waiting()) }
    }
}
