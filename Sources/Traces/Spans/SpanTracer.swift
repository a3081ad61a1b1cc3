import Synchronization
import Tracing

/// Makes the spans of one server, and puts those that have ended into its queue.
///
/// It is a tracer of swift-distributed-tracing that is handed to those who need it. The process has no global one,
/// because it may run several servers.
package final class SpanTracer: Tracer {
    package typealias Span = RecordedSpan
    package typealias Instant = DefaultTracerClock.Timestamp

    private enum ParentKey: ServiceContextKey {
        typealias Value = (parent: TraceParent, state: TraceState?)
    }

    /// The share of traces that begin here and are exported, from 0 to 1. For a trace that a caller began, the caller
    /// has decided.
    private let share: Double
    package let queue: SpanQueue
    private let clock: @Sendable () -> Instant
    private let lastSpan = Atomic(UInt64.random(in: .min ... .max))

    package init(share: Double, queue: SpanQueue, clock: @escaping @Sendable () -> Instant = { DefaultTracerClock.now })
    {
        self.share = share
        self.queue = queue
        self.clock = clock
    }

    package var now: Instant { self.clock() }

    /// Returns an id that no other span of this tracer has, and that looks random. A random number for each span would
    /// be a system call.
    func makeSpanID() -> SpanID {
        while true {
            let number = self.lastSpan.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
            if let id = SpanID(mixing: number) { return id }
        }
    }

    /// Returns the first span of a request or of other work. It continues the trace of a caller if there is one.
    package func begin(
        _ name: String, _ kind: SpanKind, continuing parent: TraceParent? = nil, _ state: TraceState? = nil
    ) -> RecordedSpan {
        RecordedSpan(
            name, kind, in: SpanGroup(self, continuing: parent, state), under: nil, at: self.now.nanosecondsSinceEpoch)
    }

    func samples(_ trace: TraceID) -> Bool { trace.isAmong(share: self.share) }

    package func startSpan<Time: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Time, function: String, file fileID: String, line: UInt
    ) -> RecordedSpan {
        let context = context()
        let parent = RecordedSpan.span(in: context)
        let remote = context[ParentKey.self]
        return RecordedSpan(
            operationName, kind, in: parent?.group ?? SpanGroup(self, continuing: remote?.parent, remote?.state),
            under: parent, at: instant().nanosecondsSinceEpoch)
    }

    package func forceFlush() {}

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let parent = extractor.extract(key: "traceparent", from: carrier).flatMap({ TraceParent($0) }) else {
            return
        }
        let state = extractor.extract(key: "tracestate", from: carrier).flatMap { TraceState([$0]) }
        context[ParentKey.self] = (parent, state)
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let span = RecordedSpan.span(in: context) else { return }
        injector.inject(span.traceParent.description, forKey: "traceparent", into: &carrier)
        guard let state = span.group.traceState, !state.isEmpty else { return }
        injector.inject(state.description, forKey: "tracestate", into: &carrier)
    }
}

extension SpanTracer {
    /// Exports the span that stands for a whole login. Its requests are under it.
    package func recordLogin(
        _ login: TraceID, lasting duration: Duration, _ attributes: AttributeList, failed: Bool
    ) {
        guard self.samples(login) else { return }
        let end = self.now.nanosecondsSinceEpoch
        let length = UInt64(max(0, duration / .nanoseconds(1)))
        var span = SpanRecord("login", .internal, id: login.loginSpan, under: nil, at: end - min(length, end))
        span.end = end
        span.attributes = attributes
        if failed { span.status = SpanStatus(code: .error) }
        self.queue.add(TraceExport.message(span, in: SpanPlace(trace: login)))
    }
}
