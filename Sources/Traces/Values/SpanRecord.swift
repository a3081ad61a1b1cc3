import Tracing

/// What is known of a span.
package struct SpanRecord: Sendable {
    package struct Link: Sendable {
        package let trace: TraceID
        package let span: SpanID

        package init(trace: TraceID, span: SpanID) {
            self.trace = trace
            self.span = span
        }
    }

    struct Event: Sendable {
        let name: String
        /// Nanoseconds since 1970.
        let time: UInt64
        let attributes: AttributeList
    }

    let id: SpanID
    /// Nil for the first span of its group.
    let parent: SpanID?
    let kind: SpanKind
    /// Nanoseconds since 1970.
    let start: UInt64
    var name: String
    /// Nanoseconds since 1970, and `start` until the span has ended.
    var end: UInt64
    var attributes: AttributeList = [:]
    var events: [Event] = []
    var links: [Link] = []
    var status: SpanStatus?
    var isOver = false

    init(_ name: String, _ kind: SpanKind, id: SpanID, under parent: SpanID?, at start: UInt64) {
        self.id = id
        self.parent = parent
        self.kind = kind
        self.start = start
        self.name = name
        self.end = start
    }
}

/// The trace that a span is in.
struct SpanPlace: Sendable {
    let trace: TraceID
    /// The parent of a span that has none in this process; nil at the beginning of a trace.
    var parent: SpanID?
    /// What other systems say about the trace; empty if nothing.
    var state = ""
}
