import BrokerTransport
import Brokers
import HTTPWire
import Logging
import OpenIDConnect
import StrictJSON
import Synchronization
import Testing

@testable import LoginAPI
@testable import Logins
@testable import Sessions
@testable import Telemetry

/// How many lines an outage of ten minutes writes, with a hundred requests a second that all fail.
@Suite struct OutageLinesTests {
    private static let minutes = 10
    private static let failuresPerSecond = 100

    @Test func `an outage writes one line a minute for each kind`() throws {
        let written = try Self.play()
        let kinds = [
            ("login_open_failed", ["broker_error": "par_timed_out"]),
            ("login_exchange_failed", ["broker_error": "token_timed_out"]),
            ("login_store_failed", ["work": "read"]), ("session_store_failed", ["work": "write"]),
            ("request", ["status": "503", "route": "poll"]),
            ("broker_request_failed", ["broker": "neb", "purpose": "token"]),
            ("descriptors_exhausted", ["opener": "broker"]),
        ]
        for (event, more) in kinds {
            let own = written.filter { $0["event"]?.string == event }
            #expect(own.count == Self.minutes + 1, "\(event)")
            for (field, value) in more {
                let values = own.map { $0[field]?.string ?? $0[field]?.integer.map { String($0) } }
                #expect(values.allSatisfy { $0 == value }, "\(event) \(field)")
            }
            let counted = own.compactMap { $0["count"]?.integer }.reduce(0, +)
            #expect(counted == Self.minutes * 60 * Self.failuresPerSecond, "\(event): the counts add up")
        }
        #expect(written.count == kinds.count * (Self.minutes + 1))
    }

    private final class Bench: Sendable {
        let passed = Mutex(Duration.zero)
        let written = Mutex<[[UInt8]]>([])
    }

    /// Returns the lines.
    private static func play() throws -> [JSON] {
        let bench = Bench()
        let logger = Logger(label: "test") { _ in
            LineLogHandler(.json, level: .info, now: { .init(seconds: 0) }) { line in
                bench.written.withLock { $0.append(line) }
            }
        }
        let start = ContinuousClock.now
        let lines = RepeatedLines(logger) { start + bench.passed.withLock { $0 } }
        let metrics = ServerMetrics()
        let limits = LimitRecorder(metrics: metrics, lines: lines)
        let logins = LoginRecorder(logger: logger, metrics: metrics, lines: lines, limits: limits)
        let sessions = SessionRecorder(logger: logger, metrics: metrics, lines: lines)
        let requests = RequestRecorder(logger: logger, metrics: metrics, lines: lines, limits: limits)
        let broker = BrokerRecorder("neb", metrics: metrics, lines: lines, limits: limits, now: { .init(seconds: 0) })
        let poll = CompletedRequest(
            id: "r", route: "poll", method: .get, status: .serviceUnavailable, client: .unspecified, duration: .zero)
        let asked = try ProviderRequest(
            .token, .post, #require(EndpointURL("https://id.example.com/token")), delivery: .atMostOnce, fields: [])
        for _ in 0..<(Self.minutes * 60) {
            for _ in 0..<Self.failuresPerSecond {
                logins.observe(
                    LoginEvent(.openFailed(BrokerError(.unavailable, .unanswered(.pushedAuthorization, .timedOut("")))))
                )
                logins.observe(
                    LoginEvent(.exchangeFailed(BrokerError(.unavailable, .unanswered(.token, .timedOut(""))))))
                logins.observe(LoginEvent(.storeFailed(.read)))
                sessions.observe(SessionEvent(.storeFailed(.write)))
                requests.recordCompleted(poll)
                broker.failed(asked, .timedOut("no answer"), after: .seconds(10))
                broker.lacksDescriptors("none is left")
            }
            bench.passed.withLock { $0 += .seconds(1) }
            lines.flush()
        }
        return try bench.written.withLock { $0 }.map { try JSON(parsing: $0) }
    }
}
