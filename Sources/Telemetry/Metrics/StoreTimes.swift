import Logins

/// Times and counts what the store does.
package struct StoreTimes: Sendable {
    /// What a store is asked for. The raw value is its name in metrics.
    package enum Operation: String, CaseIterable, Sendable {
        case insert
        case load
        case replace
        case remove
        case loadDue = "load_due"
        case takeAbandoned = "take_abandoned"
        case applySweep = "apply_sweep"
        case count
        case probe
        case insertSession = "insert_session"
        case loadSession = "load_session"
        case replaceSession = "replace_session"
        case removeSession = "remove_session"
        case listSessions = "list_sessions"
        case loadDueSessions = "load_due_sessions"
        case countSessions = "count_sessions"
    }

    private struct Series {
        let duration: MetricSeries
        let failures: MetricSeries
    }

    private let series: [Operation: Series]

    init(_ registry: MetricsRegistry) {
        let durations = registry.family(Metric.storeDuration)
        let failures = registry.family(Metric.storeFailures)
        self.series = Operation.allCases.reduce(into: [:]) { series, operation in
            let labels = [operation.rawValue]
            series[operation] = Series(duration: durations.series(labels), failures: failures.series(labels))
        }
    }

    /// Runs `work`, and records how long it took and whether it failed.
    nonisolated(nonsending) package func measure<Value>(
        _ operation: Operation, _ work: nonisolated(nonsending) () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let series = self.series[operation]
        let begin = ContinuousClock.now
        do throws(StoreError) {
            let value = try await work()
            series?.duration.observe((ContinuousClock.now - begin) / .seconds(1))
            return value
        } catch {
            series?.duration.observe((ContinuousClock.now - begin) / .seconds(1))
            series?.failures.add(1)
            throw error
        }
    }
}
