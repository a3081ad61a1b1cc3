import Tracing

/// A span that has ended, as it is exported.
package struct FinishedSpan: Sendable {
    package struct Link: Sendable {
        package let trace: TraceID
        package let span: SpanID

        package init(trace: TraceID, span: SpanID) {
            self.trace = trace
            self.span = span
        }
    }

    package struct Event: Sendable {
        package let name: String
        /// Nanoseconds since 1970.
        package let time: UInt64
        package let attributes: AttributeList
    }

    package let trace: TraceID
    package let id: SpanID
    package let parent: SpanID?
    package let name: String
    package let kind: SpanKind
    /// Nanoseconds since 1970.
    package let start: UInt64
    package let end: UInt64
    package var attributes: AttributeList = [:]
    package var events: [Event] = []
    package var links: [Link] = []
    package var status: SpanStatus?
    /// What other systems say about the trace; empty if nothing.
    package var state = ""

    package init(
        trace: TraceID, id: SpanID, parent: SpanID?, name: String, kind: SpanKind, start: UInt64, end: UInt64
    ) {
        self.trace = trace
        self.id = id
        self.parent = parent
        self.name = name
        self.kind = kind
        self.start = start
        self.end = end
    }
}
