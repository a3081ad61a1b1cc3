import Synchronization
import Tracing

/// A span of swift-distributed-tracing that we record ourselves.
package final class RecordedSpan: Tracing.Span {
    /// More than any span of ours has, so that a bug cannot use up the memory.
    private static let mostAttributes = 32
    private static let mostEvents = 64
    private static let mostLinks = 8

    private enum ContextKey: ServiceContextKey {
        typealias Value = RecordedSpan
    }

    package let id: SpanID
    let group: SpanGroup
    private let isFirst: Bool
    private let record: Mutex<SpanRecord>

    init(_ name: String, _ kind: SpanKind, in group: SpanGroup, under parent: RecordedSpan?, at start: UInt64) {
        let id = group.tracer.makeSpanID()
        self.id = id
        self.group = group
        self.isFirst = parent == nil
        self.record = Mutex(SpanRecord(name, kind, id: id, under: parent?.id, at: start))
    }

    /// Returns the span that a context of ours contains.
    static func span(in context: ServiceContext) -> RecordedSpan? { context[ContextKey.self] }

    package var context: ServiceContext {
        var context = ServiceContext.topLevel
        context[ContextKey.self] = self
        return context
    }

    package var operationName: String {
        get { self.record.withLock { $0.name } }
        set { self.change { $0.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { self.record.withLock { $0.attributes }.spanAttributes }
        set { self.change { if newValue.count <= Self.mostAttributes { $0.attributes = AttributeList(newValue) } } }
    }

    /// Changes the attributes in place.
    package func note(_ changes: (inout AttributeList) -> Void) {
        self.change { if $0.attributes.count < Self.mostAttributes { changes(&$0.attributes) } }
    }

    package var isRecording: Bool { self.group.isRecording && !self.record.withLock { $0.isOver } }

    package func setStatus(_ status: SpanStatus) { self.change { $0.status = status } }

    package func addEvent(_ event: SpanEvent) {
        self.addEvent(event.name, at: event.nanosecondsSinceEpoch, AttributeList(event.attributes))
    }

    /// Adds an event that happens now.
    package func addEvent(_ name: String, _ attributes: AttributeList) {
        self.addEvent(name, at: self.group.tracer.now.nanosecondsSinceEpoch, attributes)
    }

    private func addEvent(_ name: String, at time: UInt64, _ attributes: AttributeList) {
        let event = SpanRecord.Event(name: name, time: time, attributes: attributes)
        self.change { if $0.events.count < Self.mostEvents { $0.events.append(event) } }
    }

    /// The text of an error of ours is for an operator, and contains no secret.
    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        var attributes = attributes
        attributes["exception.type"] = String(describing: type(of: error))
        self.addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
    }

    package func addLink(_ link: SpanLink) {
        guard let other = Self.span(in: link.context), let trace = other.group.trace else { return }
        self.addLink(SpanRecord.Link(trace: trace, span: other.id))
    }

    package func addLink(_ link: SpanRecord.Link) {
        self.change { if $0.links.count < Self.mostLinks { $0.links.append(link) } }
    }

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        let endsNow = self.record.withLock { record in
            guard !record.isOver else { return false }
            record.isOver = true
            record.end = max(end, record.start)
            return true
        }
        guard endsNow else { return }
        self.group.add(self)
        if self.isFirst { self.group.settle() }
    }

    /// Returns the span as it is exported.
    func message(in place: SpanPlace) -> [UInt8] { self.record.withLock { TraceExport.message($0, in: place) } }

    /// Ends the span now, by the clock of its tracer.
    package func end() { self.end(at: self.group.tracer.now) }

    private func change(_ body: (inout SpanRecord) -> Void) {
        self.record.withLock { if !$0.isOver { body(&$0) } }
    }
}

extension RecordedSpan {
    package var tracer: SpanTracer { self.group.tracer }

    /// Returns a new span under this one; nil if nothing is recorded.
    package func child(_ name: @autoclosure () -> String, _ kind: SpanKind = .internal) -> RecordedSpan? {
        guard self.group.isRecording else { return nil }
        return RecordedSpan(
            name(), kind, in: self.group, under: self, at: self.group.tracer.now.nanosecondsSinceEpoch)
    }

    /// What a request of ours that belongs to this span says to its receiver.
    package var traceParent: TraceParent {
        let (trace, isSampled) = self.group.settle()
        return TraceParent(trace: trace, span: self.id, isSampled: isSampled)
    }
}
