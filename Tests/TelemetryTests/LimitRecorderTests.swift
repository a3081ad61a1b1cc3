import Base
import HTTPServer
import Logging
import LoginAPI
import Synchronization
import Testing

@testable import Telemetry

/// Each limit that was reached is counted, and logged once a minute with the setting that raises it.
@Suite struct LimitRecorderTests {
    @Test(arguments: ReachedLimit.allCases) func `a limit is counted and logged once`(_ limit: ReachedLimit) {
        let (lines, metrics) = (KeptLines(), ServerMetrics())
        let recorder = LimitRecorder(
            metrics: metrics, lines: RepeatedLines(Logger(label: "test") { _ in lines.handler }))
        for _ in 0..<5 { recorder.note(limit) }
        #expect(lines.all == ["notice limit_reached \(limit.rawValue) \(limit.setting ?? "none") 1"])
        let text = ExpositionTests.text(metrics.registry)
        #expect(text.contains("switchback_limits_reached_total{limit=\"\(limit.rawValue)\"} 5\n"))
    }

    /// What the server refuses and ends comes here.
    @Test func `the server's own limits are among them`() {
        let (lines, metrics) = (KeptLines(), ServerMetrics())
        let logger = Logger(label: "test") { _ in lines.handler }
        let repeated = RepeatedLines(logger)
        let requests = RequestRecorder(
            logger: logger, metrics: metrics, lines: repeated, limits: LimitRecorder(metrics: metrics, lines: repeated))
        for refusal in ConnectionRefusal.allCases { requests.connectionRefused(refusal) }
        for kind in Displacement.allCases { requests.connectionDisplaced(kind) }
        requests.handshakeFailed(.tooMany)
        requests.handshakeFailed(.ended)
        let names = lines.all.map { $0.split(separator: " ")[2] }
        #expect(
            names == [
                "connections", "connections_per_address", "silent_connections", "idle_connections", "held_polls",
                "handshakes",
            ])
    }
}

/// Keeps what is logged: level, event, and the fields of a limit.
private final class KeptLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { self.lines.withLock { $0 } }
    var handler: Handler { Handler(lines: self) }

    struct Handler: LogHandler {
        let lines: KeptLines
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?

        init(lines: KeptLines) { self.lines = lines }

        subscript(metadataKey name: String) -> Logger.Metadata.Value? {
            get { self.metadata[name] }
            set { self.metadata[name] = newValue }
        }

        func log(event: LogEvent) {
            let fields = ["limit", "setting", "count"].compactMap { event.metadata?[$0]?.description }
            let line = ([event.level.rawValue, event.message.description] + fields).joined(separator: " ")
            self.lines.lines.withLock { $0.append(line) }
        }
    }
}
