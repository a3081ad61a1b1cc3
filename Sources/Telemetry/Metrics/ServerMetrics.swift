import Base
import HTTPWire
import Synchronization

/// What the server counts.
package struct ServerMetrics: Sendable {
    package let registry: MetricsRegistry
    package let loginsCreated: CounterGroup
    package let clientLogins: ClientCounter
    package let loginsReplaced: CounterGroup
    package let loginsFinished: CounterGroup
    package let loginStages: StageCounts
    package let loginSteps: CounterGroup
    package let loginDuration: DurationGroup
    package let sessionsBegun: CounterGroup
    package let sessionSteps: CounterGroup
    package let sessionsEnded: CounterGroup
    package let attestations: CounterGroup
    package let httpRequests: CounterGroup
    /// Counts the same metric, in a faster way.
    package let requestCounts: RequestCounts
    package let httpRefused: CounterGroup
    package let limitsReached: CounterGroup
    package let descriptorsExhausted: CounterGroup
    package let store: StoreTimes
    package let brokerRequests: CounterGroup
    package let brokerErrors: ErrorCounter
    package let brokerRequestDuration: DurationGroup
    package let brokerQueueDuration: DurationGroup
    package let callbacksIgnored: CounterGroup

    /// A gauge is read at each exposition: `registry.observe(Metric.longPolls) { … }`.
    package init(registry: MetricsRegistry = MetricsRegistry()) {
        self.registry = registry
        self.loginsCreated = CounterGroup(Metric.loginsCreated, registry)
        self.clientLogins = ClientCounter(CounterGroup(Metric.clientLogins, registry))
        self.loginsReplaced = CounterGroup(Metric.loginsReplaced, registry)
        self.loginsFinished = CounterGroup(Metric.loginsFinished, registry)
        self.loginStages = StageCounts(registry)
        self.loginSteps = CounterGroup(Metric.loginSteps, registry)
        self.loginDuration = DurationGroup(Metric.loginDuration, registry)
        self.sessionsBegun = CounterGroup(Metric.sessionsBegun, registry)
        self.sessionSteps = CounterGroup(Metric.sessionSteps, registry)
        self.sessionsEnded = CounterGroup(Metric.sessionsEnded, registry)
        self.attestations = CounterGroup(Metric.attestations, registry)
        self.httpRequests = CounterGroup(Metric.httpRequests, registry)
        self.requestCounts = RequestCounts(self.httpRequests, DurationGroup(Metric.httpDuration, registry))
        self.httpRefused = CounterGroup(Metric.httpRefused, registry)
        self.limitsReached = CounterGroup(Metric.limitsReached, registry)
        self.descriptorsExhausted = CounterGroup(Metric.descriptorsExhausted, registry)
        self.store = StoreTimes(registry)
        self.brokerRequests = CounterGroup(Metric.brokerRequests, registry)
        self.brokerErrors = ErrorCounter(CounterGroup(Metric.brokerErrors, registry))
        self.brokerRequestDuration = DurationGroup(Metric.brokerRequestDuration, registry)
        self.brokerQueueDuration = DurationGroup(Metric.brokerQueueDuration, registry)
        self.callbacksIgnored = CounterGroup(Metric.callbacksIgnored, registry)
        registry.family(Metric.buildInfo).series([ServerVersion.text, ServerVersion.commit]).replace(1)
        ProcessMetrics.register(in: registry)
        self.noteWaitingSettings(0)
        // These are there from the start, so that the first one is a rise.
        for limit in ReachedLimit.allCases { registry.family(Metric.limitsReached).series([limit.rawValue]).add(0) }
        for opener in DescriptorOpener.allCases {
            registry.family(Metric.descriptorsExhausted).series([opener.rawValue]).add(0)
        }
        for cause in ReloadCause.allCases {
            for outcome in ["applied", "refused"] {
                registry.family(Metric.reloads).series([cause.rawValue, outcome]).add(0)
            }
        }
    }

    /// Records how many changed settings wait for a restart.
    package func noteWaitingSettings(_ count: Int) {
        self.registry.family(Metric.settingsWaiting).series([]).replace(Double(count))
    }

    /// Records the result of the last attempt to load a configuration. `cause` is nil at the start.
    package func noteReload(_ cause: ReloadCause?, succeeded: Bool, at now: Timestamp) {
        if let cause {
            let outcome = succeeded ? "applied" : "refused"
            self.registry.family(Metric.reloads).series([cause.rawValue, outcome]).add(1)
        }
        self.registry.family(Metric.reloadSuccessful).series([]).replace(succeeded ? 1 : 0)
        guard succeeded else { return }
        self.registry.family(Metric.reloadedAt).series([]).replace(Double(now.milliseconds) / 1000)
    }
}

/// The counters of one metric, each made once and kept.
package struct CounterGroup: Sendable {
    private let family: MetricFamily

    init(_ metric: Metric, _ registry: MetricsRegistry) {
        self.family = registry.family(metric)
    }

    /// Takes one value for each label of the metric, in its order.
    package func increment(_ values: String..., by amount: Int = 1) {
        self.family.series(values).add(Double(amount))
    }

    func series(_ values: String...) -> MetricSeries { self.family.series(values) }
}

/// The histograms of one metric, each made once and kept.
package struct DurationGroup: Sendable {
    private let family: MetricFamily

    init(_ metric: Metric, _ registry: MetricsRegistry) {
        self.family = registry.family(metric)
    }

    /// Takes one value for each label of the metric, in its order.
    package func record(_ duration: Duration, _ values: String...) {
        self.family.series(values).observe(duration / .seconds(1))
    }

    func series(_ values: String...) -> MetricSeries { self.family.series(values) }
}

/// Counts and times the requests of each route. It runs on every request, so it finds its series without a text of the
/// status and without an array of labels.
package final class RequestCounts: Sendable {
    private struct Labels: Hashable {
        let route: String
        let status: Status
    }

    private struct Series {
        let count: MetricSeries
        let duration: MetricSeries
    }

    private let counts: CounterGroup
    private let durations: DurationGroup
    private let seriesByLabels = Mutex<[Labels: Series]>([:])

    init(_ counts: CounterGroup, _ durations: DurationGroup) {
        self.counts = counts
        self.durations = durations
    }

    /// `route` must be one of a few names, and a route must have few statuses.
    package func count(_ route: String, _ status: Status, after duration: Duration) {
        let labels = Labels(route: route, status: status)
        let series = self.seriesByLabels.withLock { seriesByLabels in
            if let series = seriesByLabels[labels] { return series }
            let newSeries = Series(
                count: self.counts.series(route, String(status.rawValue)), duration: self.durations.series(route))
            seriesByLabels[labels] = newSeries
            return newSeries
        }
        series.count.add(1)
        series.duration.observe(duration / .seconds(1))
    }
}

/// What made a running server read its configuration again.
package enum ReloadCause: String, CaseIterable, Sendable {
    /// SIGHUP.
    case signal
    /// A file has changed.
    case file
    /// A key has become active, which changes the order of its list.
    case key
}

/// The part of the server that needed a file descriptor. The raw value is its name in logs and metrics.
package enum DescriptorOpener: String, CaseIterable, Sendable {
    case listener, broker
}
