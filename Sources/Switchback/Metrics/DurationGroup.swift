/// The histograms of one metric, each made once and kept.
package struct DurationGroup: Sendable {
    private let family: MetricFamily

    init(_ metric: Metric, _ registry: MetricsRegistry) {
        self.family = registry.family(metric)
    }

    /// One value for each label of the metric, in its order.
    package func record(_ duration: Duration, _ values: String...) {
        self.family.series(values).observe(duration / .seconds(1))
    }
}
