import EndToEndSupport
import TestSupport
import Testing

/// What `/metrics` says of requests, the store, connections, limits and keys after one login.
@Suite struct OperationMetricTests {
    /// The beginnings of samples, and whether their values are above zero.
    private static let samples: [(String, Bool)] = [
        ("switchback_http_request_duration_seconds_count{route=\"create\"} ", true),
        ("switchback_http_request_duration_seconds_sum{route=\"callback\"} ", true),
        ("switchback_store_duration_seconds_count{operation=\"insert\"} ", true),
        ("switchback_store_duration_seconds_count{operation=\"replace\"} ", true),
        ("switchback_store_failures_total{operation=\"replace\"} ", false),
        ("switchback_pool_size{pool=\"openings\",broker=\"\(BrokerVariant.query.name)\"} ", true),
        ("switchback_pool_in_use{pool=\"exchanges\",broker=\"\(BrokerVariant.query.name)\"} ", false),
        ("switchback_pool_waiting{pool=\"exchanges\",broker=\"\(BrokerVariant.query.name)\"} ", false),
        ("switchback_limit{limit=\"pending_logins\"} ", true), ("switchback_limit{limit=\"connections\"} ", true),
        ("switchback_limits_reached_total{limit=\"connections\"} ", false),
        ("switchback_keys{use=\"server\",phase=\"active\"} ", true),
        ("switchback_keys{use=\"server\",phase=\"retired\"} ", false),
        ("process_open_fds ", true), ("process_max_fds ", true),
    ]

    @Test func `each of them has a sample after one login`() async throws {
        let server = try await RunningServer.start([.query], release: "immediate")
        let app = PhoneApp(server.url)
        var browser = try await ScriptedBrowser(
            opening: try #require(try await app.create(BrokerVariant.query.name).nextURL))
        try await browser.submit(button: "approve")
        _ = try await app.waitForEnd()
        // The last response and the last answer of the store are counted after the app has its result.
        var wrong: [String] = []
        _ = try await eventually {
            wrong = Self.wrongSamples(in: try await TestClient.send("GET", "\(server.operations)/metrics").text)
            return wrong.isEmpty
        }
        #expect(wrong == [])
        await server.stop()
    }

    private static func wrongSamples(in metrics: String) -> [String] {
        let lines = metrics.split(separator: "\n")
        return Self.samples.compactMap { name, isAboveZero in
            let value = lines.first { $0.hasPrefix(name) }.flatMap { Double($0.dropFirst(name.count)) }
            return value.map { $0 > 0 } == isAboveZero ? nil : "\(name)\(value.map { "\($0)" } ?? "is missing")"
        }
    }
}
