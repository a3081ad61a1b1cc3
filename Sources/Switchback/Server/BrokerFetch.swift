/// How one broker is reached: a client of its own, which talks to its hosts and to nobody else, and is counted.
import EventLoop
import JOSE
import Logging
import OpenIDConnect
import Outbound

struct BrokerFetch: Sendable {
    private let brokerID: String
    private let client: OutboundClient
    private let timeout: Duration
    private let metrics: ServerMetrics
    private let now: @Sendable () -> Timestamp
    let state = BrokerState()
    private let logger: Logger

    init(
        _ broker: Configuration.Broker, insecureHosts: Set<String>, loop: EventLoop, metrics: ServerMetrics,
        logger: Logger, now: @escaping @Sendable () -> Timestamp
    ) throws(OutboundError) {
        self.brokerID = broker.id
        self.client = try OutboundClient(
            loop: loop, settings: OutboundSettings(broker, insecureHosts: insecureHosts))
        self.timeout = broker.timeout
        self.metrics = metrics
        self.logger = logger
        self.now = now
    }

    var fetch: Fetch {
        { request async throws(FetchError) in try await self.send(request) }
    }

    func close() async { await self.client.close() }

    private func send(_ request: ProviderRequest) async throws(FetchError) -> ProviderResponse {
        let outbound = OutboundRequest(
            method: OutboundRequest.Method(request.method), delivery: OutboundRequest.Delivery(request.delivery),
            url: request.url, fields: request.fields, body: request.body,
            deadline: min(request.deadline, self.timeout), limit: request.limit)
        let start = ContinuousClock.now
        do throws(OutboundError) {
            let response = try await self.client.send(outbound)
            self.count(request, "\(response.status / 100)xx", since: start)
            self.state.answered(status: response.status, date: response.date, at: self.now())
            return ProviderResponse(
                status: response.status, contentType: response["content-type"],
                location: response["location"], body: response.body)
        } catch {
            let failure = FetchError(error)
            self.count(request, failure.raw, since: start)
            // Who was told to stop, or by our own rules not to ask, has learnt nothing of the broker.
            if error.isOfServer { self.state.didNotAnswer() }
            self.logger.warning(
                "broker_request_failed",
                metadata: [
                    "broker": "\(self.brokerID)", "purpose": "\(request.purpose.rawValue)",
                    "broker_error": "\(failure.raw)", "detail": "\(failure.detail)",
                ])
            throw failure
        }
    }

    private func count(_ request: ProviderRequest, _ outcome: String, since start: ContinuousClock.Instant) {
        let purpose = request.purpose.rawValue
        self.metrics.brokerRequests.increment(self.brokerID, purpose, outcome)
        self.metrics.brokerRequestDuration.record(start.duration(to: .now), self.brokerID, purpose)
    }
}

extension OutboundRequest.Method {
    fileprivate init(_ method: ProviderRequest.Method) {
        switch method {
        case .get: self = .get
        case .post: self = .post
        case .delete: self = .delete
        }
    }
}

extension OutboundRequest.Delivery {
    fileprivate init(_ delivery: ProviderRequest.Delivery) {
        switch delivery {
        case .atMostOnce: self = .atMostOnce
        case .idempotent: self = .idempotent
        }
    }
}

extension OutboundError {
    fileprivate var isOfServer: Bool {
        switch self {
        case .unreachable, .timedOut, .tooLarge, .certificate, .broken: true
        case .refused, .cancelled: false
        }
    }
}

extension FetchError {
    init(_ error: OutboundError) {
        switch error {
        case .unreachable(let detail): self = .unreachable(detail)
        case .timedOut: self = .timedOut("no answer in time")
        case .tooLarge: self = .tooLarge("the answer is larger than allowed")
        case .certificate(let detail): self = .tls(detail)
        case .refused(let detail): self = .refused(detail)
        case .broken(let detail): self = .broken(detail)
        case .cancelled: self = .timedOut("the exchange was given up")
        }
    }
}
