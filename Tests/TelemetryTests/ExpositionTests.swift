import Base
import HTTPServer
import HTTPWire
import Metrics
import Telemetry
import Testing

/// The text that Prometheus reads.
@Suite struct ExpositionTests {
    static func text(_ registry: MetricsRegistry) -> String {
        String(decoding: registry.exposition(), as: UTF8.self)
    }

    @Test func `counters, gauges and histograms are written`() {
        let metrics = ServerMetrics()
        metrics.loginsCreated.increment("shop", "mitid")
        metrics.loginsCreated.increment("shop", "mitid")
        metrics.loginsCreated.increment("shop", "bankid", by: 3)
        metrics.registry.observe(Metric.longPolls) { 17 }
        metrics.brokerRequestDuration.record(.milliseconds(30), "idura", "token")
        metrics.brokerRequestDuration.record(.seconds(60), "idura", "token")
        let text = Self.text(metrics.registry)
        #expect(
            text.contains(
                """
                # HELP switchback_logins_created_total Logins that apps started.
                # TYPE switchback_logins_created_total counter
                switchback_logins_created_total{app="shop",provider="bankid"} 3
                switchback_logins_created_total{app="shop",provider="mitid"} 2

                """))
        #expect(
            text.contains(
                """
                # HELP switchback_held_polls Long polls that are waiting now.
                # TYPE switchback_held_polls gauge
                switchback_held_polls 17

                """))
        #expect(
            text.contains(
                """
                # HELP switchback_broker_request_duration_seconds Seconds that requests to brokers took.
                # TYPE switchback_broker_request_duration_seconds histogram
                switchback_broker_request_duration_seconds_bucket{broker="idura",purpose="token",le="0.005"} 0
                switchback_broker_request_duration_seconds_bucket{broker="idura",purpose="token",le="0.01"} 0
                switchback_broker_request_duration_seconds_bucket{broker="idura",purpose="token",le="0.025"} 0
                switchback_broker_request_duration_seconds_bucket{broker="idura",purpose="token",le="0.05"} 1
                switchback_broker_request_duration_seconds_bucket{broker="idura",purpose="token",le="0.1"} 1
                switchback_broker_request_duration_seconds_bucket{broker="idura",purpose="token",le="0.25"} 1
                switchback_broker_request_duration_seconds_bucket{broker="idura",purpose="token",le="0.5"} 1
                switchback_broker_request_duration_seconds_bucket{broker="idura",purpose="token",le="1"} 1
                switchback_broker_request_duration_seconds_bucket{broker="idura",purpose="token",le="2.5"} 1
                switchback_broker_request_duration_seconds_bucket{broker="idura",purpose="token",le="5"} 1
                switchback_broker_request_duration_seconds_bucket{broker="idura",purpose="token",le="10"} 1
                switchback_broker_request_duration_seconds_bucket{broker="idura",purpose="token",le="+Inf"} 2
                switchback_broker_request_duration_seconds_sum{broker="idura",purpose="token"} 60.03
                switchback_broker_request_duration_seconds_count{broker="idura",purpose="token"} 2

                """))
    }

    @Test func `the process and the build are there`() {
        let text = Self.text(ServerMetrics().registry)
        let build = "version=\"\(ServerVersion.text)\",commit=\"\(ServerVersion.commit)\""
        #expect(text.contains("switchback_build_info{\(build)} 1\n"))
        for name in [
            "process_cpu_seconds_total", "process_resident_memory_bytes", "process_virtual_memory_bytes",
            "process_open_fds",
            "process_max_fds", "process_start_time_seconds",
        ] { #expect(text.contains("\n\(name) "), "\(name)") }
        #expect(!text.contains(".e+"))
    }

    /// What a label may contain, and how it is written.
    static let labels: [(String, String)] = [
        ("a", "a"), ("a\"b", "a\\\"b"), ("a\\b", "a\\\\b"), ("a\nb", "a\\nb"), ("", ""), ("Søren", "Søren"),
        ("a\"\u{301}b", "a\\\"\u{301}b"), ("a\r\nb", "a\\nb"),
    ]

    @Test(arguments: Self.labels) func `a label is escaped`(_ value: String, _ written: String) {
        let metrics = ServerMetrics()
        metrics.httpRefused.increment(value)
        #expect(Self.text(metrics.registry).contains("switchback_http_refused_total{cause=\"\(written)\"} 1\n"))
    }

    /// The causes of `switchback_http_refused_total`.
    private static let causes =
        ParseError.allCases.map(\.rawValue) + ConnectionRefusal.allCases.map(\.rawValue)
        + TimeoutKind.allCases.map(\.rawValue) + HandshakeFailure.allCases.map(\.rawValue)

    @Test(arguments: Self.causes) func `a cause is in snake_case`(_ cause: String) {
        #expect(cause.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) != nil)
    }

    @Test func `a thousand values are not a thousand series`() {
        let metrics = ServerMetrics()
        for index in 0..<1000 { metrics.httpRefused.increment("cause-\(index)") }
        let lines = Self.text(metrics.registry).split(separator: "\n").filter {
            $0.hasPrefix("switchback_http_refused_total{")
        }
        #expect(lines.count == 201)
        #expect(lines.contains("switchback_http_refused_total{cause=\"other\"} 800"))
    }

    @Test func `every count from many threads arrives`() async {
        let metrics = ServerMetrics()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { metrics.httpRequests.increment("login", "200") } }
            }
        }
        #expect(
            Self.text(metrics.registry).contains(
                "switchback_http_requests_total{route=\"login\",status=\"200\"} 8000\n"))
    }

    @Test func `answered requests are counted by route and status`() {
        let metrics = ServerMetrics()
        for (route, status) in [("poll", Status.ok), ("poll", .notModified), ("poll", .ok), ("none", .ok)] {
            metrics.requestCounts.count(route, status, after: .milliseconds(2))
        }
        metrics.httpRequests.increment("poll", "200")
        let lines = Self.text(metrics.registry).split(separator: "\n").filter {
            $0.hasPrefix("switchback_http_requests_total{")
        }
        #expect(
            lines == [
                "switchback_http_requests_total{route=\"none\",status=\"200\"} 1",
                "switchback_http_requests_total{route=\"poll\",status=\"200\"} 3",
                "switchback_http_requests_total{route=\"poll\",status=\"304\"} 1",
            ])
    }

    @Test func `packages count through Swift metrics`() {
        let registry = MetricsRegistry()
        Counter(label: "some.package.events", dimensions: [("kind", "x")], factory: registry).increment(by: 4)
        Gauge(label: "some_gauge", dimensions: [], factory: registry).record(2.5)
        Metrics.Timer(label: "some_time", dimensions: [], factory: registry).recordMilliseconds(20)
        let text = Self.text(registry)
        #expect(text.contains("# TYPE some_package_events counter\nsome_package_events{kind=\"x\"} 4\n"))
        #expect(text.contains("# TYPE some_gauge gauge\nsome_gauge 2.5\n"))
        #expect(text.contains("some_time_bucket{le=\"0.025\"} 1\n") && text.contains("some_time_sum 0.02\n"))
    }

    /// Prometheus' rules for names: a unit and `_total` at the end. Our own names begin with `switchback_`.
    @Test(arguments: Metric.all) func `names follow the rules`(_ metric: Metric) {
        #expect(metric.name.hasPrefix("switchback_") || metric.name.hasPrefix("process_"))
        #expect(metric.name.hasSuffix("_total") == (metric.kind == .counter))
        #expect(metric.kind != .histogram || (metric.name.hasSuffix("_seconds") && !metric.buckets.isEmpty))
        #expect(metric.buckets == metric.buckets.sorted() && metric.help.hasSuffix("."))
    }
}
