import Base
import ConfigurationSamples
import Testing

@testable import ServerConfiguration

/// The settings of traces: a collector, and what goes to it.
@Suite struct TracingRuleTests {
    private static let missing =
        "must be the whole URL of a collector, as in http://127.0.0.1:4318/v1/traces or https://otel.example.com/v1/traces"

    private static func problems(_ line: String) -> [String] {
        SampleConfiguration.problems(SampleConfiguration.source("store: memory", "store: memory\ntracing: {\(line)}"))
    }

    @Test(arguments: [
        ("endpoint: otel", ["s.yaml:3: tracing.endpoint: \(Self.missing)"]),
        ("endpoint: \"https://user@otel.example.com/v1/traces\"", ["s.yaml:3: tracing.endpoint: \(Self.missing)"]),
        (
            "endpoint: \"https://otel.example.com\"",
            ["s.yaml:3: tracing.endpoint: has no path. Write the whole URL, which usually ends in /v1/traces"]
        ),
        ("headers: \"a=b\"", ["s.yaml:3: tracing.headers: has no effect without tracing.endpoint"]),
        (
            "endpoint: \"https://otel.example.com/v1/traces\", headers: \"a\"",
            [
                "s.yaml:3: tracing.headers: must be name=value, and several separated by commas. In a value, write a comma as %2C and a percent sign as %25"
            ]
        ),
        ("ratio: 1.5", ["s.yaml:3: tracing.ratio: must be a number from 0 to 1, as in 0.1, not \"1.5\""]),
        ("ratio: 0x1p-3", ["s.yaml:3: tracing.ratio: must be a number from 0 to 1, as in 0.1, not \"0x1p-3\""]),
        ("ratio: nan", ["s.yaml:3: tracing.ratio: must be a number from 0 to 1, as in 0.1, not \"nan\""]),
        ("ratio: 0.25", []), ("endpoint: \"http://127.0.0.1:4318/v1/traces\"", []),
    ]) func `each mistake is said`(_ line: String, _ expected: [String]) {
        #expect(Self.problems(line) == expected)
    }

    @Test func `a broker gets a trace only if there is one`() {
        let source = SampleConfiguration.source(
            "client_id: switchback", "client_id: switchback\n    send_traceparent: true")
        #expect(
            SampleConfiguration.problems(source) == [
                "s.yaml:18: brokers.idura.send_traceparent: needs tracing.endpoint"
            ])
    }

    @Test(arguments: [
        ("a=b", [Parameter("a", "b")]), ("a=b,c=d", [Parameter("a", "b"), Parameter("c", "d")]),
        ("Authorization=Bearer%20x%2C%25+y", [Parameter("Authorization", "Bearer x,%+y")]),
        ("a=", [Parameter("a", "")]),
        (" a =b", [Parameter("a", "b")]),
    ]) func `header fields are read as in OTEL_EXPORTER_OTLP_HEADERS`(_ text: String, _ expected: [Parameter]) {
        #expect(TraceCollector.fields(text) == expected)
    }

    @Test(arguments: ["", "a", "=b", "a=b,", "a=%", "a=%2", "a=%GG", "a=%+1", "a=%0A", "a=%C3", "ä=b", "a b\u{1}=c"])
    func `what is no list of fields is refused`(_ text: String) {
        #expect(TraceCollector.fields(text) == nil)
    }
}
