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
    package let brokerRequests: CounterGroup
    package let brokerErrors: ErrorCounter
    package let brokerRequestDuration: DurationGroup
    package let brokerQueueDuration: DurationGroup
    package let callbacksIgnored: CounterGroup

    /// A gauge is read at each exposition: `registry.observe(.longPolls) { … }`.
    package init(registry: MetricsRegistry = MetricsRegistry()) {
        self.registry = registry
        self.loginsCreated = CounterGroup(.loginsCreated, registry)
        self.clientLogins = ClientCounter(CounterGroup(.clientLogins, registry))
        self.loginsReplaced = CounterGroup(.loginsReplaced, registry)
        self.loginsFinished = CounterGroup(.loginsFinished, registry)
        self.loginSteps = CounterGroup(.loginSteps, registry)
        self.loginDuration = DurationGroup(.loginDuration, registry)
        self.sessionsBegun = CounterGroup(.sessionsBegun, registry)
        self.sessionSteps = CounterGroup(.sessionSteps, registry)
        self.sessionsEnded = CounterGroup(.sessionsEnded, registry)
        self.attestations = CounterGroup(.attestations, registry)
        self.httpRequests = CounterGroup(.httpRequests, registry)
        self.requestCounts = RequestCounts(self.httpRequests)
        self.httpRefused = CounterGroup(.httpRefused, registry)
        self.limitsReached = CounterGroup(.limitsReached, registry)
        self.descriptorsExhausted = CounterGroup(.descriptorsExhausted, registry)
        self.brokerRequests = CounterGroup(.brokerRequests, registry)
        self.brokerErrors = ErrorCounter(CounterGroup(.brokerErrors, registry))
        self.brokerRequestDuration = DurationGroup(.brokerRequestDuration, registry)
        self.brokerQueueDuration = DurationGroup(.brokerQueueDuration, registry)
        self.callbacksIgnored = CounterGroup(.callbacksIgnored, registry)
        registry.family(.buildInfo).series([ServerVersion.text]).replace(1)
        ProcessMetrics.register(in: registry)
        self.noteWaitingSettings(0)
        // From the start, so that the first one is a rise.
        for cause in ReloadCause.allCases {
            for outcome in ["applied", "refused"] {
                registry.family(.reloads).series([cause.rawValue, outcome]).add(0)
            }
        }
    }

    /// Records how many changed settings wait for a restart.
    package func noteWaitingSettings(_ count: Int) {
        self.registry.family(.settingsWaiting).series([]).replace(Double(count))
    }

    /// Records the result of the last attempt to load a configuration. `cause` is nil at the start.
    package func noteReload(_ cause: ReloadCause?, succeeded: Bool, at now: Timestamp) {
        if let cause {
            let outcome = succeeded ? "applied" : "refused"
            self.registry.family(.reloads).series([cause.rawValue, outcome]).add(1)
        }
        self.registry.family(.reloadSuccessful).series([]).replace(succeeded ? 1 : 0)
        guard succeeded else { return }
        self.registry.family(.reloadedAt).series([]).replace(Double(now.milliseconds) / 1000)
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
}

/// Counts the requests of each route by status. It runs on every request, so it finds its series without a text of the
/// status and without an array of labels.
package final class RequestCounts: Sendable {
    private struct Labels: Hashable {
        let route: String
        let status: Status
    }

    private let group: CounterGroup
    private let seriesByLabels = Mutex<[Labels: MetricSeries]>([:])

    init(_ group: CounterGroup) { self.group = group }

    /// `route` must be one of a few names, and a route must have few statuses.
    package func count(_ route: String, _ status: Status) {
        let labels = Labels(route: route, status: status)
        let series = self.seriesByLabels.withLock { seriesByLabels in
            if let series = seriesByLabels[labels] { return series }
            let newSeries = self.group.series(route, String(status.rawValue))
            seriesByLabels[labels] = newSeries
            return newSeries
        }
        series.add(1)
    }
}
