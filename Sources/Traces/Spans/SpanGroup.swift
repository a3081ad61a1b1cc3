import Synchronization
import Tracing

/// The spans that one request, or one task of the server, makes in this process. All are of one trace.
///
/// Which trace that is may become clear late: a request's span begins before we know its login, and the login's id is
/// the id of its trace. Until then the spans that have ended wait here.
final class SpanGroup: Sendable {
    /// More spans than a request makes before its login is known.
    private static let waitingLimit = 32

    private struct Decision {
        let trace: TraceID
        /// The parent of spans that have none in this process.
        let parent: SpanID?
        let isSampled: Bool
    }

    private struct State {
        var decision: Decision?
        /// A cycle until the first span ends, which it always does.
        var waiting: [RecordedSpan] = []
    }

    let tracer: SpanTracer
    /// What other systems say about the caller's trace.
    let traceState: TraceState?
    private let state: Mutex<State>

    /// Nil if the request continues no trace.
    init(_ tracer: SpanTracer, continuing parent: TraceParent? = nil, _ traceState: TraceState? = nil) {
        self.tracer = tracer
        self.traceState = parent == nil ? nil : traceState
        let decision = parent.map { Decision(trace: $0.trace, parent: $0.span, isSampled: $0.isSampled) }
        self.state = Mutex(State(decision: decision))
    }

    /// Nil while it is not decided.
    var trace: TraceID? { self.state.withLock { $0.decision?.trace } }

    /// False if nothing of it will be exported.
    var isRecording: Bool { self.state.withLock { $0.decision?.isSampled ?? true } }

    /// Joins the trace of a login, unless it is in another trace already. Returns whether it is in the login's trace
    /// now.
    func join(_ login: TraceID) -> Bool {
        self.decide { Decision(trace: login, parent: login.loginSpan, isSampled: self.tracer.samples(login)) }.trace
            == login
    }

    /// Decides for a trace of its own, unless it is in one already.
    @discardableResult
    func settle() -> (trace: TraceID, isSampled: Bool) {
        let decision = self.decide {
            let trace = TraceID.random()
            return Decision(trace: trace, parent: nil, isSampled: self.tracer.samples(trace))
        }
        return (decision.trace, decision.isSampled)
    }

    private func decide(_ make: () -> Decision) -> Decision {
        let (decision, ended) = self.state.withLock { state -> (Decision, [RecordedSpan]) in
            if let decision = state.decision { return (decision, []) }
            let decision = make()
            state.decision = decision
            defer { state.waiting = [] }
            return (decision, state.waiting)
        }
        for span in ended { self.export(span, decision) }
        return decision
    }

    /// Takes a span that has ended.
    func add(_ span: RecordedSpan) {
        let decision = self.state.withLock { state -> Decision? in
            if state.decision == nil, state.waiting.count < Self.waitingLimit { state.waiting.append(span) }
            return state.decision
        }
        if let decision { self.export(span, decision) }
    }

    private func export(_ span: RecordedSpan, _ decision: Decision) {
        guard decision.isSampled else { return }
        self.tracer.queue.add(
            span.message(
                in: SpanPlace(
                    trace: decision.trace, parent: decision.parent, state: self.traceState?.description ?? "")))
    }
}
