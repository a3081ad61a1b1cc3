import Base
import BrokerTransport
import Brokers
import Logging
import OpenIDConnect

/// Counts the requests to one broker, tracks the broker's state, and logs the requests that failed, once a minute for
/// each purpose and kind of failure.
package struct BrokerRecorder: BrokerObserver {
    private let brokerID: String
    private let metrics: ServerMetrics
    private let lines: RepeatedLines
    private let descriptors: DescriptorRecorder
    private let limits: LimitRecorder
    private let now: @Sendable () -> Timestamp
    /// A user notices this much.
    private static let longWait = Duration.seconds(1)
    package let state = BrokerState()

    package init(
        _ brokerID: String, metrics: ServerMetrics, lines: RepeatedLines, limits: LimitRecorder,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.brokerID = brokerID
        self.lines = lines
        self.metrics = metrics
        self.descriptors = DescriptorRecorder(metrics: metrics, lines: lines)
        self.limits = limits
        self.now = now
    }

    package func queued(for duration: Duration, in lane: BrokerFetch.Lane, isRefused: Bool) {
        self.metrics.brokerQueueDuration.record(duration, self.brokerID, lane.rawValue)
        guard isRefused || duration >= Self.longWait else { return }
        self.lines.log(
            level: .warning, "broker_queue_long",
            metadata: [
                "broker": "\(self.brokerID)", "queue": "\(lane.rawValue)", "cause": "\(isRefused ? "full" : "long")",
                "waited_ms": .stringConvertible(Int(duration / .milliseconds(1))),
                "advice": "raise limits.broker_connections, if the broker allows more, or see why it is slow",
            ],
            kind: "broker_queue_long \(self.brokerID) \(lane.rawValue)")
    }

    package func answered(
        _ request: ProviderRequest, status: Int, date: Int?, acceptsUs: Bool?, after duration: Duration
    ) {
        self.count(request, "\(status / 100)xx", duration)
        self.state.noteResponse(status: status, date: date, acceptsUs: acceptsUs, at: self.now())
    }

    package func failed(_ request: ProviderRequest, _ error: FetchError, after duration: Duration) {
        self.count(request, error.raw, duration)
        // A caller that left, a full queue and our own policy say nothing about the broker.
        if case .busy = error { self.limits.note(.brokerConnections) }
        if error.isOfServer { self.state.noteNoResponse() }
        if error.isWorthALine { self.log(error, request) }
    }

    package func lacksDescriptors(_ reason: String) { self.descriptors.note(.broker, reason) }

    /// Logs the keys of the broker's set that cannot be used: logins that they sign fail.
    package func unusable(_ keys: [UnusableKey]) {
        for key in keys {
            self.lines.logger.warning(
                "broker_key_unusable",
                metadata: [
                    "broker": "\(self.brokerID)", "key": "\(key.name)",
                    "cause": "\(key.cause)",
                ])
        }
    }

    /// Logs what a resolver did against the configuration, once a minute for each kind.
    package func noted(_ note: ResolverNote) {
        switch note {
        case .linkElsewhere(let host):
            self.lines.log(
                level: .warning, "resolver_link_refused",
                metadata: [
                    "broker": "\(self.brokerID)", "host": "\(host ?? "none")",
                    "advice": "list the app in brokers.\(self.brokerID).app_links, if the resolver may open it",
                ],
                kind: "resolver_link_refused \(self.brokerID)")
        case .lastingToken:
            self.lines.log(
                level: .warning, "resolver_token_dropped",
                metadata: [
                    "broker": "\(self.brokerID)", "member": "\(DigiDBroker.lastingToken)",
                    "advice": "set the registration at the resolver to stateless, so that it makes none",
                ],
                kind: "resolver_token_dropped \(self.brokerID)")
        }
    }

    private func log(_ error: FetchError, _ request: ProviderRequest) {
        self.lines.log(
            level: .warning, "broker_request_failed",
            metadata: [
                "broker": "\(self.brokerID)", "purpose": "\(request.purpose.rawValue)",
                "broker_error": "\(error.raw)", "detail": "\(error.detail)",
            ],
            kind: "broker_request_failed \(self.brokerID) \(request.purpose.rawValue) \(error.raw)")
    }

    /// The time in our own queue is not the broker's, and has its own metric.
    private func count(_ request: ProviderRequest, _ outcome: String, _ duration: Duration) {
        let purpose = request.purpose.rawValue
        self.metrics.brokerRequests.increment(self.brokerID, purpose, outcome)
        self.metrics.brokerRequestDuration.record(duration, self.brokerID, purpose)
    }
}

extension FetchError {
    fileprivate var isOfServer: Bool {
        switch self {
        case .unreachable, .timedOut, .tooLarge, .tls, .closed, .encoding, .broken: true
        case .refused, .busy, .cancelled, .noDescriptors: false
        }
    }

    /// Any client can cause the other errors at will, so those are only counted.
    fileprivate var isWorthALine: Bool {
        switch self {
        case .unreachable, .timedOut, .tooLarge, .tls, .closed, .encoding, .broken, .refused: true
        case .busy, .cancelled, .noDescriptors: false
        }
    }
}
