import Base
import BrokerTransport
import EventLoop
import Logging
import OpenIDConnect
import Outbound
import Telemetry
import TestSupport
import Testing

/// The time that is left for an exchange limits each of its requests, whatever the broker's own timeout is.
@Suite(.timeLimit(.minutes(1))) struct RequestLimitTests {
    /// `brokers.*.timeout` is the longest time of each request, whatever it is for. Once only token requests had it.
    @Test(arguments: ProviderRequest.Purpose.allCases)
    func `every request may take what the setting says`(_ purpose: ProviderRequest.Purpose) throws {
        let url = try #require(EndpointURL("https://id.example/endpoint"))
        let request = ProviderRequest(purpose, .post, url, delivery: .atMostOnce, fields: [])
        for timeout in [Duration.seconds(1), .seconds(10), .seconds(60)] {
            #expect(OutboundRequest(request, timeout: timeout).deadline == timeout)
        }
    }

    /// How much time is left, and how often the broker is asked. It never responds.
    @Test(arguments: [(Duration.milliseconds(50), 1), (.zero, 0), (.seconds(-1), 0)])
    func `a request ends when its remaining time is over`(_ left: Duration, _ count: Int) async throws {
        let server = try FaultServer { connection in
            // The second read returns when the client has closed its connection.
            while connection.readRequest() != nil {}
        }
        defer { server.stop() }
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        var settings = OutboundSettings(allowedHosts: ["127.0.0.1"])
        settings.allowInsecureLoopback = true
        let record = BrokerRecorder(
            "main", metrics: ServerMetrics(),
            lines: RepeatedLines(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
            limits: LimitRecorder(
                metrics: ServerMetrics(), lines: RepeatedLines(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })),
            now: WallClock.now)
        let timeout = Duration.seconds(3600)
        let fetch = try BrokerFetch(settings, timeout: timeout, loop: loop, observer: record)
        let url = try #require(EndpointURL(server.url + "token"))
        let request = ProviderRequest(.token, .post, url, delivery: .atMostOnce, fields: [])
        let start = ContinuousClock.now
        let error = await FetchContext.$current.withValue(FetchContext(limit: left)) {
            await #expect(throws: FetchError.self) { _ = try await fetch.fetch(request) }
        }
        guard case .timedOut? = error else {
            Issue.record("expected a timeout, not \(String(describing: error))")
            return
        }
        #expect(start.duration(to: .now) < timeout)
        #expect(server.accepted == count)
        await fetch.close()
    }
}
