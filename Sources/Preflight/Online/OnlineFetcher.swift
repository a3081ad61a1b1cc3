import Base
import BrokerTransport
import EventLoop
import OpenIDConnect
import Outbound
import StrictJSON
import Synchronization

/// Asks one broker, and keeps its response to each request.
final class OnlineFetcher: Sendable {
    /// A response, and when it came.
    struct Answer: Sendable {
        let response: OutboundResponse
        let at: Timestamp

        var json: JSON? { try? JSON(parsing: self.response.body) }

        /// nginx completes the handshake, and then says on a page that it wants a certificate, or another one.
        var isOfRefusedCertificate: Bool {
            self.response.status == 400
                && String(decoding: self.response.body, as: UTF8.self).contains("SSL certificate")
        }
    }

    private let client: OutboundClient
    private let timeout: Duration
    let now: @Sendable () -> Timestamp
    private let hasFailed = Atomic(false)
    private let answers = Mutex<[ProviderRequest.Purpose: Answer]>([:])

    init(
        _ settings: OutboundSettings, timeout: Duration, loop: EventLoop, now: @escaping @Sendable () -> Timestamp
    ) throws(OperatorError) {
        var settings = settings
        settings.readsCertificate = true
        self.client = try OutboundClient(loop: loop, settings: settings)
        self.timeout = timeout
        self.now = now
    }

    var clientCertificateExpiry: Int? { self.client.clientCertificateExpiry }

    func answer(to purpose: ProviderRequest.Purpose) -> Answer? { self.answers.withLock { $0[purpose] } }

    func close() async { await self.client.close() }

    func get(_ url: String, limit: Int = 256 * 1024) async throws(OutboundError) -> Answer {
        try await self.send(OutboundRequest(url: url, deadline: self.timeout, limit: limit))
    }

    var fetch: Fetch {
        { request async throws(FetchError) in
            do throws(OutboundError) {
                let answer = try await self.send(OutboundRequest(request, timeout: self.timeout))
                self.answers.withLock { $0[request.purpose] = answer }
                return ProviderResponse(answer.response)
            } catch {
                throw FetchError(error)
            }
        }
    }

    /// Whether a host could not be reached.
    var failsToConnect: Bool { self.hasFailed.load(ordering: .relaxed) }

    private func send(_ request: OutboundRequest) async throws(OutboundError) -> Answer {
        do throws(OutboundError) {
            return Answer(response: try await self.client.send(request), at: self.now())
        } catch {
            switch FetchError(error) {
            case .unreachable, .timedOut: self.hasFailed.store(true, ordering: .relaxed)
            default: break
            }
            throw error
        }
    }
}
