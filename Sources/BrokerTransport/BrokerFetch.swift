import Base
import EventLoop
import OpenIDConnect
import Outbound
import Traces

/// How we reach one broker: with its own HTTP clients, which talk only to its hosts and count each request.
package struct BrokerFetch: Sendable {
    /// What a request is for. Each lane has its own connections and queue, so that a flood of new logins never delays
    /// users who have already logged in.
    package enum Lane: String, CaseIterable, Sendable {
        /// Requests that begin a login. Anyone can cause them.
        case attempts = "openings"
        /// All other requests of a login.
        case exchanges

        fileprivate init(_ purpose: ProviderRequest.Purpose) {
            switch purpose {
            case .pushedAuthorization, .start: self = .attempts
            case .discovery, .keys, .token, .userinfo, .progress, .cancel: self = .exchanges
            }
        }
    }

    private let attempts: OutboundClient
    private let exchanges: OutboundClient
    private let timeout: Duration
    private let observer: any BrokerObserver
    private let trace: BrokerTrace

    /// A request may take at most `timeout`. Each lane has at most `connections` connections. `name` is the broker's, and
    /// it gets our `traceparent` only if `sendsTraceParent` is true.
    package init(
        _ settings: OutboundSettings, timeout: Duration, connections: Int = 64, loop: EventLoop,
        observer: any BrokerObserver, name: String = "", sendsTraceParent: Bool = false
    ) throws(OperatorError) {
        self.trace = BrokerTrace(broker: name, sendsTraceParent: sendsTraceParent)
        var settings = settings
        settings.maxConnections = connections
        // Who waits here has logged in at the broker. As many as this are served within a code's lifetime, if a request
        // takes a second.
        settings.maxWaiting = 64 * connections
        self.exchanges = try OutboundClient(loop: loop, settings: settings)
        settings.keepsConnections = false
        // A user waits for each of these requests, and few users wait for long.
        settings.maxWaiting = 4 * connections
        self.attempts = try OutboundClient(loop: loop, settings: settings)
        self.timeout = timeout
        self.observer = observer
    }

    package var fetch: Fetch {
        { request async throws(FetchError) in try await self.send(request) }
    }

    /// How busy the connections of a lane are now.
    package func load(of lane: Lane) -> TransferLoad { self.client(lane).load }

    package func close() async {
        await self.attempts.close()
        await self.exchanges.close()
    }

    private func send(_ request: ProviderRequest) async throws(FetchError) -> ProviderResponse {
        let lane = Lane(request.purpose)
        let context = FetchContext.current
        let timeout = min(self.timeout, context?.remainingTime ?? self.timeout)
        guard timeout > .zero else { throw .timedOut("no time is left") }
        let work = WorkContext.current
        let span = self.trace.begin(request, work)
        let turn = QueueTimer(context)
        var outbound = OutboundRequest(request, timeout: timeout)
        outbound.caller = turn.caller
        outbound.onStart = { turn.stop() }
        if let span { outbound.fields += self.trace.fields(of: span) }
        // Every login needs them, so they do not wait behind the logins that need them.
        outbound.isUrgent = request.purpose == .discovery || request.purpose == .keys
        if !outbound.isUrgent, let context {
            outbound.longestWait = context.longestWait
            if let observer = context.observer {
                outbound.onWait = { observer.waits(request.delivery) }
                if request.delivery == .atMostOnce { outbound.maySend = { await observer.maySend() } }
            }
        }
        let result = await self.result(of: outbound, lane)
        let waitTime = turn.stop()
        self.observer.queued(for: waitTime, in: lane, isRefused: result.isBusy)
        let brokerRequest = (try? result.get()).flatMap { BrokerTrace.requestID(in: $0) }
        work?.note(brokerRequest: brokerRequest)
        self.trace.end(span, result, waitTime, brokerRequest)
        switch result {
        case .success(let response):
            let answer = ProviderResponse(response)
            self.observer.answered(
                request, status: response.status, date: response.date, acceptsUs: Self.acceptsUs(answer, to: request),
                after: turn.timeSinceDequeued)
            return answer
        case .failure(let error):
            let failure = FetchError(error)
            self.observer.failed(request, failure, after: turn.timeSinceDequeued)
            throw failure
        }
    }

    /// Returns what a response says about our credentials, which only these endpoints check. Nil if nothing: any client
    /// can make a broker refuse a code, and `invalid_client` alone is about us (RFC 6749 §5.2).
    private static func acceptsUs(_ response: ProviderResponse, to request: ProviderRequest) -> Bool? {
        guard [.token, .pushedAuthorization].contains(request.purpose) else { return nil }
        if response.status < 300 { return true }
        return response.refusal.map { $0.code != "invalid_client" }
    }

    private func client(_ lane: Lane) -> OutboundClient { lane == .attempts ? self.attempts : self.exchanges }

    /// When no descriptor is left, nothing was sent. We try again until the request's deadline, so that an
    /// authorization code is not lost.
    private func result(of request: OutboundRequest, _ lane: Lane) async -> Result<OutboundResponse, OutboundError> {
        let client = self.client(lane)
        let end = ContinuousClock.now + request.deadline
        var (request, pause) = (request, Duration.milliseconds(50))
        while true {
            do throws(OutboundError) {
                return .success(try await client.send(request))
            } catch {
                guard case .noDescriptors(let reason) = error else { return .failure(error) }
                self.observer.lacksDescriptors(reason)
                let remainingTime = ContinuousClock.now.duration(to: end) - pause
                guard remainingTime > .zero, (try? await Task.sleep(for: pause)) != nil else { return .failure(error) }
                request.deadline = remainingTime
                pause = min(pause * 2, .milliseconds(400))
            }
        }
    }
}

extension Result where Success == OutboundResponse, Failure == OutboundError {
    fileprivate var isBusy: Bool { if case .failure(.busy) = self { true } else { false } }
}

/// Counts the requests to one broker. It is called on any thread, so it must be quick and never block.
package protocol BrokerObserver: Sendable {
    /// `duration` is the request's wait in our own queue; it does not count as the broker's time.
    /// With `isRefused` it was never sent: the queue was full, or it has waited as long as it may.
    func queued(for duration: Duration, in lane: BrokerFetch.Lane, isRefused: Bool)
    /// `date` is the broker's time in seconds since 1970. `acceptsUs` is whether the broker accepted our credentials, and
    /// nil if the response does not say. `duration` begins when the request leaves our queue.
    func answered(_ request: ProviderRequest, status: Int, date: Int?, acceptsUs: Bool?, after duration: Duration)
    func failed(_ request: ProviderRequest, _ error: FetchError, after duration: Duration)
    /// Nothing was sent, because the process or the system has no descriptors left.
    func lacksDescriptors(_ reason: String)
}
