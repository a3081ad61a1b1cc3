/// What the server counts.
package struct ServerMetrics: Sendable {
    package let registry: MetricsRegistry
    package let loginsCreated: CounterGroup
    package let loginsFinished: CounterGroup
    package let loginSteps: CounterGroup
    package let loginDuration: DurationGroup
    package let httpRequests: CounterGroup
    /// The same, for what counts them.
    package let requestCounts: RequestCounts
    package let httpRefused: CounterGroup
    package let descriptorsExhausted: CounterGroup
    package let brokerRequests: CounterGroup
    package let brokerRequestDuration: DurationGroup
    package let brokerQueueDuration: DurationGroup
    package let callbacksIgnored: CounterGroup

    /// The gauges are read when somebody asks: `registry.observe(.heldPolls) { … }`.
    package init(registry: MetricsRegistry = MetricsRegistry()) {
        self.registry = registry
        self.loginsCreated = CounterGroup(.loginsCreated, registry)
        self.loginsFinished = CounterGroup(.loginsFinished, registry)
        self.loginSteps = CounterGroup(.loginSteps, registry)
        self.loginDuration = DurationGroup(.loginDuration, registry)
        self.httpRequests = CounterGroup(.httpRequests, registry)
        self.requestCounts = RequestCounts(self.httpRequests)
        self.httpRefused = CounterGroup(.httpRefused, registry)
        self.descriptorsExhausted = CounterGroup(.descriptorsExhausted, registry)
        self.brokerRequests = CounterGroup(.brokerRequests, registry)
        self.brokerRequestDuration = DurationGroup(.brokerRequestDuration, registry)
        self.brokerQueueDuration = DurationGroup(.brokerQueueDuration, registry)
        self.callbacksIgnored = CounterGroup(.callbacksIgnored, registry)
        registry.family(.buildInfo).series([ServerVersion.text]).replace(1)
        ProcessReadings.register(in: registry)
    }
}
