import Testing
import Tracing

@testable import Traces

/// Which trace the spans of one piece of work are in, and whether they are exported.
@Suite struct SpanGroupTests {
    private static let caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-"

    private let queue = SpanQueue()
    private let login = TraceID(high: 7, low: 9) ?? .random()

    private func tracer(share: Double = 1) -> SpanTracer {
        SpanTracer(share: share, queue: self.queue, clock: { .init(nanosecondsSinceEpoch: 5_000_000_000) })
    }

    private func request(_ tracer: SpanTracer, from caller: String? = nil) -> WorkContext {
        WorkContext(
            RequestNumber(),
            tracer.begin("GET /x", .server, continuing: caller.flatMap { TraceParent($0) }, TraceState(["rojo=1"])))
    }

    @Test func `spans that ended before the login was known are in its trace too`() throws {
        let work = self.request(self.tracer())
        work.span?.child("load login", .client)?.end()
        #expect(self.queue.count == 0)
        #expect(work.trace == nil)
        work.note(login: self.login) { ["switchback.login": .text("x")] }
        #expect(work.trace == self.login)
        work.span?.end()
        let spans = try self.queue.takeSpans()
        #expect(spans.map(\.name) == ["load login", "GET /x"])
        #expect(spans.allSatisfy { $0.trace == self.login.bytes })
        #expect(spans[0].parent == work.span?.id.bytes)
        #expect(spans[1].parent == self.login.loginSpan.bytes)
        #expect(spans[1].attributes["switchback.login"] == .text("x"))
    }

    @Test func `a request without a login is a trace of its own`() throws {
        let tracer = self.tracer()
        for _ in 0..<2 { self.request(tracer).span?.end() }
        let spans = try self.queue.takeSpans()
        #expect(spans.count == 2)
        #expect(spans.allSatisfy { $0.parent.isEmpty })
        #expect(Set(spans.map(\.trace)).count == 2)
    }

    @Test func `a caller's trace is continued with a link to the login's`() throws {
        let work = self.request(self.tracer(share: 0), from: Self.caller + "01")
        work.note(login: self.login) { [:] }
        work.span?.end()
        let span = try #require(try self.queue.takeSpans().first)
        #expect(Hex.text(span.trace) == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(Hex.text(span.parent) == "00f067aa0ba902b7")
        #expect(span.state == "rojo=1")
        #expect(span.links == [self.login.bytes])
    }

    @Test func `a caller that does not record decides for us`() {
        let work = self.request(self.tracer(), from: Self.caller + "00")
        #expect(work.span?.child("load login") == nil)
        work.span?.end()
        #expect(self.queue.count == 0)
    }

    @Test func `a malformed field begins a new trace`() throws {
        let work = self.request(self.tracer(), from: "00-nonsense")
        work.span?.end()
        let spans = try self.queue.takeSpans()
        #expect(spans.map(\.parent) == [[]])
        #expect(spans.map(\.state) == [""])
    }

    @Test(arguments: [(0.0, 0...0), (0.25, 200...300), (1.0, 1000...1000)])
    func `the share of traces is that of the setting`(_ share: Double, _ expected: ClosedRange<Int>) {
        let tracer = self.tracer(share: share)
        var generator = SplitMix(state: 1)
        let count = (0..<1000).count { _ in
            TraceID(high: 1, low: generator.next()).map { tracer.samples($0) } ?? false
        }
        #expect(expected.contains(count))
    }

    @Test func `a login is in the same trace on every server`() {
        let tracers = [self.tracer(share: 0.5), SpanTracer(share: 0.5, queue: SpanQueue())]
        var generator = SplitMix(state: 2)
        for _ in 0..<100 {
            guard let trace = TraceID(high: generator.next(), low: generator.next()) else { continue }
            #expect(tracers[0].samples(trace) == tracers[1].samples(trace))
        }
    }

    @Test func `a library that knows swift-distributed-tracing continues a trace too`() throws {
        let tracer = self.tracer()
        var context = ServiceContext.topLevel
        tracer.extract(
            ["traceparent": Self.caller + "01", "tracestate": "rojo=1"], into: &context, using: TableExtractor())
        let whole = tracer.startSpan("GET /x", context: context, ofKind: .server, at: tracer.now)
        tracer.startSpan("part", context: whole.context, ofKind: .internal, at: tracer.now).end()
        whole.end()
        let spans = try self.queue.takeSpans()
        #expect(spans.map(\.name) == ["part", "GET /x"])
        #expect(spans.map { Hex.text($0.trace) } == Array(repeating: "4bf92f3577b34da6a3ce929d0e0e4736", count: 2))
        #expect(spans.map { Hex.text($0.parent) } == [whole.id.description, "00f067aa0ba902b7"])
        #expect(spans.map(\.state) == ["rojo=1", "rojo=1"])
    }

    @Test func `what goes to a broker names the span and its trace`() throws {
        let work = self.request(self.tracer(), from: Self.caller + "01")
        let span = try #require(work.span)
        var fields: [String: String] = [:]
        span.tracer.inject(span.context, into: &fields, using: TableInjector())
        #expect(fields["traceparent"] == "00-4bf92f3577b34da6a3ce929d0e0e4736-\(span.id)-01")
        #expect(fields["tracestate"] == "rojo=1")
    }

    @Test func `a span ends once and takes nothing afterwards`() throws {
        let span = try #require(self.request(self.tracer()).span)
        span.end()
        span.operationName = "other"
        span.end()
        #expect(try self.queue.takeSpans().map(\.name) == ["GET /x"])
    }

    @Test func `attributes are those of the protocol`() throws {
        let span = try #require(self.request(self.tracer()).span)
        span.attributes = ["text": "a", "number": .int32(5), "truth": true, "fraction": 0.5]
        span.note {
            $0["text"] = .text("b")
            $0["truth"] = nil
            $0["more"] = .number(1)
        }
        #expect(span.attributes.get("text") == .string("b"))
        #expect(span.attributes.get("number") == .int64(5))
        #expect(span.attributes.get("truth") == nil)
        #expect(span.attributes.get("fraction") == .double(0.5))
        #expect(span.attributes.count == 4)
    }

    @Test func `a span has at most 32 attributes`() throws {
        let span = try #require(self.request(self.tracer()).span)
        for number in 0..<40 { span.note { $0["\(number)"] = .number(Int64(number)) } }
        #expect(span.attributes.count == 32)
    }

    @Test func `the span of a login is the parent of its requests`() throws {
        self.tracer().recordLogin(
            self.login, lasting: .seconds(2), ["switchback.status": .text("failed")], failed: true)
        let span = try #require(try self.queue.takeSpans().first)
        #expect(span.id == self.login.loginSpan.bytes)
        #expect(span.end - span.start == 2_000_000_000)
        #expect(span.status == 2, "STATUS_CODE_ERROR")
    }

    @Test func `no two spans of a tracer have the same id`() {
        let tracer = self.tracer()
        let ids = Set((0..<1000).map { _ in tracer.makeSpanID() })
        #expect(ids.count == 1000)
        // The first bytes differ too, as those of random numbers do.
        #expect(Set(ids.map { $0.bytes.prefix(2) }).count > 900)
        #expect(SpanID(mixing: 0) == nil, "an id is never zero")
    }

    @Test func `a full queue drops and counts`() {
        let queue = SpanQueue(capacity: 2)
        let tracer = SpanTracer(share: 1, queue: queue)
        for _ in 0..<5 { self.request(tracer).span?.end() }
        #expect(queue.count == 2)
        #expect(queue.dropped == 3)
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var word = self.state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

private struct TableExtractor: Extractor {
    func extract(key: String, from carrier: [String: String?]) -> String? { carrier[key] ?? nil }
}

private struct TableInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
}
