import Base
import Metrics
import Synchronization

/// The number behind one metric with one set of label values.
///
/// It implements every handler of swift-metrics: the metric decides what a series is, not the code that writes it.
final class MetricSeries: Sendable {
    struct State: Sendable {
        /// A counter's or gauge's value; a histogram's sum.
        var value = 0.0
        /// A histogram's observations by bucket, not cumulative. The last element counts those above every bound.
        var counts: [Int]
    }

    let labels: [Parameter]
    private let buckets: [Double]
    private let mutex: Mutex<State>

    init(labels: [Parameter], buckets: [Double]) {
        self.labels = labels
        self.buckets = buckets
        self.mutex = Mutex(State(counts: Array(repeating: 0, count: buckets.isEmpty ? 0 : buckets.count + 1)))
    }

    var state: State { self.mutex.withLock { $0 } }

    func add(_ amount: Double) {
        self.mutex.withLock { $0.value += amount }
    }

    func replace(_ value: Double) {
        self.mutex.withLock { $0.value = value }
    }

    func observe(_ value: Double) {
        guard !self.buckets.isEmpty else { return self.replace(value) }
        let bucket = self.buckets.firstIndex { value <= $0 } ?? self.buckets.count
        self.mutex.withLock { state in
            state.value += value
            state.counts[bucket] += 1
        }
    }
}

extension MetricSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    func increment(by amount: Int64) { self.add(Double(amount)) }
    func increment(by amount: Double) { self.add(amount) }
    func decrement(by amount: Double) { self.add(-amount) }
    func set(_ value: Int64) { self.replace(Double(value)) }
    func set(_ value: Double) { self.replace(value) }
    func record(_ value: Int64) { self.observe(Double(value)) }
    func record(_ value: Double) { self.observe(value) }
    func recordNanoseconds(_ duration: Int64) { self.observe(Double(duration) / 1e9) }
    func reset() { self.replace(0) }
}
