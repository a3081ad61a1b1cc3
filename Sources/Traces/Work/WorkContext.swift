import Synchronization
import Tracing

/// The work that the present task does: a request, or a part of it that goes on after the response. It connects what
/// the log, the traces and the brokers say about it.
package final class WorkContext: Sendable {
    @TaskLocal package static var current: WorkContext?

    private struct Notes {
        var login: TraceID?
        var brokerRequest: String?
    }

    private let number: RequestNumber?
    /// False for work that is about many logins.
    private let isAboutOneLogin: Bool
    /// Begins the span of work that has none. Nil for a request: its span has a tracer.
    private let tracer: SpanTracer?
    /// Nil if nothing is recorded.
    package let span: RecordedSpan?
    private let notes: Mutex<Notes>

    /// The work on a request.
    package init(_ number: RequestNumber, _ span: RecordedSpan?) {
        self.number = number
        self.isAboutOneLogin = true
        self.tracer = nil
        self.span = span
        self.notes = Mutex(Notes())
    }

    /// Work that no request has caused, and that is about many logins.
    package init(_ tracer: SpanTracer? = nil) {
        self.number = nil
        self.isAboutOneLogin = false
        self.tracer = tracer
        self.span = nil
        self.notes = Mutex(Notes())
    }

    private init(part name: String, of whole: WorkContext) {
        self.number = whole.number
        self.isAboutOneLogin = true
        self.tracer = whole.tracer
        self.span =
            whole.span.flatMap { $0.child(name) }
            ?? whole.tracer.map { $0.begin(name, .internal) }
        self.notes = Mutex(Notes(login: whole.login))
    }

    /// Names the request that caused the work; nil if none did.
    package var requestID: String? { self.number?.text }

    /// Whether this is the work on that request, or a part of it.
    package func belongs(to request: RequestNumber) -> Bool { self.number == request }

    /// The login that the work is about, once it is known. Its bytes are those of the login's id.
    package var login: TraceID? { self.notes.withLock { $0.login } }

    /// The trace of its spans, once that is decided.
    package var trace: TraceID? { self.span?.group.trace }

    /// How the broker names the last request of ours in its own log, if its response said so.
    package var brokerRequest: String? { self.notes.withLock { $0.brokerRequest } }

    package func note(brokerRequest: String?) { self.notes.withLock { $0.brokerRequest = brokerRequest } }

    /// Notes which login the work is about. The first one counts. `attributes` are asked for only if a span is recorded.
    package func note(login: TraceID, attributes: () -> AttributeList) {
        guard self.isAboutOneLogin else { return }
        let isFirst = self.notes.withLock { notes in
            defer { notes.login = notes.login ?? login }
            return notes.login == nil
        }
        guard isFirst, let span = self.span else { return }
        if !span.group.join(login) { span.addLink(SpanRecord.Link(trace: login, span: login.loginSpan)) }
        guard span.isRecording else { return }
        let attributes = attributes()
        span.note { $0.add(attributes) }
    }

    /// Returns a part of this work that is about one login, with a span of its own.
    package func part(_ name: String) -> WorkContext { WorkContext(part: name, of: self) }

    /// Runs `body` as this work, and ends its span.
    package func run(_ body: () async -> Void) async {
        await Self.$current.withValue(self) { await body() }
        self.span?.end()
    }
}
