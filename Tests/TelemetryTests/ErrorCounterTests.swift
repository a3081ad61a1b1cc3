import OpenIDConnect
import Testing

@testable import Telemetry

/// The errors of brokers are counted by their codes, and a broker cannot make many labels.
@Suite struct ErrorCounterTests {
    @Test func `a broker has at most twenty unlisted codes`() {
        let metrics = ServerMetrics()
        for number in 0..<300 {
            for broker in ["one", "two"] { metrics.brokerErrors.count(ErrorWord("e\(number)"), of: broker) }
            metrics.brokerErrors.count(ErrorWord("access_denied"), of: "one")
            metrics.brokerErrors.count(ErrorWord("own_\(number % 3)", listed: ["own_0", "own_1", "own_2"]), of: "one")
        }
        let lines = String(decoding: metrics.registry.exposition(), as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("switchback_broker_errors_total{") }
        func value(_ broker: String, _ error: String) -> String? {
            let start = "switchback_broker_errors_total{broker=\"\(broker)\",error=\"\(error)\"} "
            return lines.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
        }
        #expect(lines.count == 21 + 21 + 1 + 3)
        for broker in ["one", "two"] {
            for number in 0..<20 { #expect(value(broker, "e\(number)") == "1") }
            #expect(value(broker, "e20") == nil)
            #expect(value(broker, "other") == "280")
        }
        #expect(value("one", "access_denied") == "300")
        #expect(value("one", "own_2") == "100")
    }
}
