import Metrics
import Synchronization

/// Keeps the metrics and writes them for Prometheus. As a factory of swift-metrics it takes those of packages too.
package final class MetricsRegistry: Sendable {
    /// Called at each exposition, for a value that is known anyway.
    package typealias Collector = @Sendable () -> Double?

    private struct State {
        var families: [String: MetricFamily] = [:]
        var readings: [(metric: Metric, labels: [String], reading: Collector)] = []
        /// Metrics that write their samples themselves, by name.
        var writers: [String: @Sendable () -> String] = [:]
    }

    private let state: Mutex<State>

    package init() {
        let families = Metric.all.map { ($0.name, MetricFamily($0)) }
        self.state = Mutex(State(families: Dictionary(uniqueKeysWithValues: families)))
    }

    /// Reads a gauge at each exposition, instead of counting along. `labels` has one value for each label of the
    /// metric. A second reading of the same series replaces the first.
    package func observe(_ metric: Metric, _ labels: [String] = [], _ reading: @escaping Collector) {
        self.state.withLock { state in
            state.readings.removeAll { $0.metric.name == metric.name && $0.labels == labels }
            state.readings.append((metric, labels, reading))
        }
    }

    /// Lets a metric with many series write its samples, each on a line.
    func write(_ metric: Metric, by lines: @escaping @Sendable () -> String) {
        self.state.withLock { $0.writers[metric.name] = lines }
    }

    /// Shows the days of this certificate no more.
    package func forgetCertificate(_ use: String, _ file: String) {
        self.forget(Metric.certificateDaysLeft, [use, file])
    }

    /// Shows this value from now on; nil shows none.
    package func replace(_ metric: Metric, _ labels: [String], _ value: Double?) {
        guard let value else { return self.family(metric).remove(labels) }
        self.family(metric).series(labels).replace(value)
    }

    /// Stops reading the gauge, and shows it no more.
    func forget(_ metric: Metric, _ labels: [String]) {
        self.state.withLock { state in
            state.readings.removeAll { $0.metric.name == metric.name && $0.labels == labels }
        }
        self.family(metric).remove(labels)
    }

    /// Returns the text in version 0.0.4.
    package func exposition() -> [UInt8] {
        let (readings, families, writers) = self.state.withLock { ($0.readings, $0.families, $0.writers) }
        for (metric, labels, reading) in readings {
            guard let value = reading() else { continue }
            self.family(metric).series(labels).replace(value)
        }
        let knownFamilies = Metric.all.compactMap { families[$0.name] }
        let names = Set(Metric.all.map(\.name))
        let others = families.values.filter { !names.contains($0.metric.name) }.sorted {
            $0.metric.name < $1.metric.name
        }
        var text = ExpositionText()
        for family in knownFamilies + others {
            if let lines = writers[family.metric.name] {
                text.write(family.metric, lines: lines())
            } else {
                text.write(family)
            }
        }
        return Array(text.text.utf8)
    }

    func family(_ metric: Metric) -> MetricFamily {
        self.state.withLock { state in
            if let family = state.families[metric.name] { return family }
            let newFamily = MetricFamily(metric)
            state.families[metric.name] = newFamily
            return newFamily
        }
    }
}

extension MetricsRegistry: MetricsFactory {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        self.series(label, .counter, dimensions)
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        self.series(label, .counter, dimensions)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        self.series(label, .gauge, dimensions)
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        self.series(label, aggregate ? .histogram : .gauge, dimensions)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        self.series(label, .histogram, dimensions)
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// A name that is not in our table comes from a package. Its first use decides the kind.
    private func series(_ label: String, _ kind: Metric.Kind, _ dimensions: [(String, String)]) -> MetricSeries {
        let name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
        let buckets = kind == .histogram ? Metric.requestBuckets : []
        let family = self.family(Metric(name, kind, "", labels: dimensions.map(\.0), buckets: buckets))
        return family.series(family.metric.labels.map { label in dimensions.first { $0.0 == label }?.1 ?? "" })
    }
}
