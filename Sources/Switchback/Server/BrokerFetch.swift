/// How one broker is reached: by clients of its own, which talk to its hosts and to nobody else, and are counted.
import Base
import EventLoop
import Logging
import OpenIDConnect
import Outbound

struct BrokerFetch: Sendable {
    /// What a request is for. Each has connections and a queue of its own, so that strangers who open logins never keep
    /// waiting those who have logged in.
    enum Lane: String, Sendable {
        /// Begins a login: anybody can cause one.
        case openings
        /// All that logins under way need.
        case exchanges

        init(_ purpose: ProviderRequest.Purpose) {
            switch purpose {
            case .pushedAuthorization, .start: self = .openings
            case .discovery, .keys, .token, .userinfo, .progress, .cancel: self = .exchanges
            }
        }
    }

    private let brokerID: String
    private let openings: OutboundClient
    private let exchanges: OutboundClient
    private let timeout: Duration
    private let metrics: ServerMetrics
    private let now: @Sendable () -> Timestamp
    let state = BrokerState()
    private let logger: Logger
    private let descriptors: DescriptorRecord

    init(
        _ broker: Configuration.Broker, insecureHosts: Set<String>, connections: Int = 64, loop: EventLoop,
        metrics: ServerMetrics, logger: Logger, now: @escaping @Sendable () -> Timestamp
    ) throws(OutboundError) {
        self.brokerID = broker.id
        var settings = OutboundSettings(broker, insecureHosts: insecureHosts)
        settings.maxConnections = connections
        self.exchanges = try OutboundClient(loop: loop, settings: settings)
        settings.keepsConnections = false
        // A person waits for each of them, and few do so for long.
        settings.maxWaiting = 4 * connections
        self.openings = try OutboundClient(loop: loop, settings: settings)
        self.timeout = broker.timeout
        self.metrics = metrics
        self.logger = logger
        self.descriptors = DescriptorRecord(logger: logger, metrics: metrics)
        self.now = now
    }

    var fetch: Fetch {
        { request async throws(FetchError) in try await self.send(request) }
    }

    func close() async {
        await self.openings.close()
        await self.exchanges.close()
    }

    private func send(_ request: ProviderRequest) async throws(FetchError) -> ProviderResponse {
        let lane = Lane(request.purpose)
        let turn = BrokerTurn(FetchTurn.current)
        var outbound = OutboundRequest(
            method: OutboundRequest.Method(request.method), delivery: OutboundRequest.Delivery(request.delivery),
            url: request.url, fields: request.fields, body: request.body,
            deadline: min(request.deadline, self.timeout), limit: request.limit)
        outbound.caller = turn.caller
        outbound.begins = { turn.begins() }
        let result = await self.result(of: outbound, lane)
        self.metrics.brokerQueueDuration.record(turn.begins(), self.brokerID, lane.rawValue)
        switch result {
        case .success(let response):
            self.count(request, "\(response.status / 100)xx", turn)
            self.state.answered(status: response.status, date: response.date, at: self.now())
            return ProviderResponse(
                status: response.status, contentType: response["content-type"],
                location: response["location"], body: response.body)
        case .failure(let error):
            let failure = FetchError(error)
            self.count(request, failure.raw, turn)
            // A client that left, a full queue and our own rules say nothing about the broker.
            if error.isOfServer { self.state.didNotAnswer() }
            if error.isWorthALine { self.log(failure, request) }
            throw failure
        }
    }

    /// While no descriptor is left nothing was sent, and the same is tried again until the request's deadline: a code that
    /// came meanwhile need not be lost.
    private func result(of request: OutboundRequest, _ lane: Lane) async -> Result<OutboundResponse, OutboundError> {
        let client = lane == .openings ? self.openings : self.exchanges
        let end = ContinuousClock.now + request.deadline
        var (request, pause) = (request, Duration.milliseconds(50))
        while true {
            do throws(OutboundError) {
                return .success(try await client.send(request))
            } catch {
                guard case .noDescriptors(let reason) = error else { return .failure(error) }
                self.descriptors.note(.broker, reason)
                let left = ContinuousClock.now.duration(to: end) - pause
                guard left > .zero, (try? await Task.sleep(for: pause)) != nil else { return .failure(error) }
                request.deadline = left
                pause = min(pause * 2, .milliseconds(400))
            }
        }
    }

    private func log(_ failure: FetchError, _ request: ProviderRequest) {
        self.logger.warning(
            "broker_request_failed",
            metadata: [
                "broker": "\(self.brokerID)", "purpose": "\(request.purpose.rawValue)",
                "broker_error": "\(failure.raw)", "detail": "\(failure.detail)",
            ])
    }

    /// The time in our own queue is not the broker's, and has a metric of its own.
    private func count(_ request: ProviderRequest, _ outcome: String, _ turn: BrokerTurn) {
        let purpose = request.purpose.rawValue
        self.metrics.brokerRequests.increment(self.brokerID, purpose, outcome)
        self.metrics.brokerRequestDuration.record(turn.sinceItsTurn, self.brokerID, purpose)
    }
}

extension OutboundRequest.Method {
    init(_ method: ProviderRequest.Method) {
        switch method {
        case .get: self = .get
        case .post: self = .post
        case .delete: self = .delete
        }
    }
}

extension OutboundRequest.Delivery {
    init(_ delivery: ProviderRequest.Delivery) {
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
        case .refused, .busy, .cancelled, .noDescriptors: false
        }
    }

    /// Strangers can cause as many of the others as they like; those are counted only.
    fileprivate var isWorthALine: Bool {
        switch self {
        case .unreachable, .timedOut, .tooLarge, .certificate, .broken, .refused: true
        case .busy, .cancelled, .noDescriptors: false
        }
    }
}

extension FetchError {
    init(_ error: OutboundError) {
        switch error {
        case .unreachable(let detail): self = .unreachable(detail)
        case .noDescriptors(let detail): self = .noDescriptors(detail)
        case .timedOut: self = .timedOut("no answer in time")
        case .tooLarge: self = .tooLarge("the answer is larger than allowed")
        case .certificate(let detail): self = .tls(detail)
        case .refused(let detail): self = .refused(detail)
        case .broken(let detail): self = .broken(detail)
        case .busy: self = .busy
        case .cancelled: self = .cancelled
        }
    }
}
