// The gauges of each broker. An outage shows here and never in `/readyz`, because other brokers may work.

import Base
import Brokers

extension MetricsRegistry {
    private static let gauges: [Metric] = [
        Metric.brokerUp, Metric.brokerLastSuccess, Metric.brokerClockSkew, Metric.brokerMetadataAge,
        Metric.brokerKeysAge,
    ]

    /// Removes the gauges of a broker that no longer exists.
    package func forget(broker: String) {
        for gauge in Self.gauges { self.forget(gauge, [broker]) }
    }

    package func observe(_ broker: any Broker, _ state: BrokerState, now: @escaping @Sendable () -> Timestamp) {
        let labels = [broker.id]
        self.observe(Metric.brokerUp, labels) { state.isUp.map { $0 ? 1 : 0 } }
        self.observe(Metric.brokerLastSuccess, labels) { state.lastSuccess.map { Double($0.milliseconds) / 1000 } }
        self.observe(Metric.brokerClockSkew, labels) { state.skew.map(Double.init) }
        self.observe(Metric.brokerMetadataAge, labels) { broker.metadataFetchedAt.map { (now() - $0) / .seconds(1) } }
        self.observe(Metric.brokerKeysAge, labels) { broker.keysFetchedAt.map { (now() - $0) / .seconds(1) } }
    }
}
