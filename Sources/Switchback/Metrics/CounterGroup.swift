/// The counters of one metric, each made once and kept.
package struct CounterGroup: Sendable {
    private let family: MetricFamily

    init(_ metric: Metric, _ registry: MetricsRegistry) {
        self.family = registry.family(metric)
    }

    /// One value for each label of the metric, in its order.
    package func increment(_ values: String..., by amount: Int = 1) {
        self.family.series(values).add(Double(amount))
    }

    func series(_ values: String...) -> MetricSeries { self.family.series(values) }
}
