import Base
import Synchronization

/// All series of one metric. There are never more than a few hundred.
final class MetricFamily: Sendable {
    /// Every series costs memory, here and in the collector, so a client must not be able to create more and more.
    static let limit = 200
    static let other = "other"

    let metric: Metric
    private let series = Mutex<[[String]: MetricSeries]>([:])

    init(_ metric: Metric) {
        self.metric = metric
    }

    /// Returns the series of these label values; above the limit, the one whose values are all `other`.
    func series(_ values: [String]) -> MetricSeries {
        self.series.withLock { all in
            if let series = all[values] { return series }
            let isFull = all.count >= Self.limit && !values.isEmpty
            let values = isFull ? values.map { _ in Self.other } : values
            if let series = all[values] { return series }
            let labels = zip(self.metric.labels, values).map { Parameter($0, $1) }
            let newSeries = MetricSeries(labels: labels, buckets: self.metric.buckets)
            all[values] = newSeries
            return newSeries
        }
    }

    func remove(_ values: [String]) { self.series.withLock { _ = $0.removeValue(forKey: values) } }

    /// Sorted by label values.
    var sorted: [MetricSeries] {
        self.series.withLock { all in
            all.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        }
    }
}
