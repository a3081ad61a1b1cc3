import HTTPWire
import Traces
import Tracing

/// Makes the span of each request. Its name and attributes are those of OpenTelemetry's semantic conventions for HTTP,
/// without the path, the query and the client's address: they contain ids, secrets and what identifies a person.
package struct RequestTracer: Sendable {
    package enum Parents: String, CaseIterable, Sendable {
        /// A request's span is in the trace of its caller.
        case `continue`
        /// It is in the trace of its login, with a link to the caller's span.
        case link
    }

    private static let state: FieldName = "tracestate"

    private let tracer: SpanTracer
    private let parents: Parents

    package init(_ tracer: SpanTracer, parents: Parents) {
        self.tracer = tracer
        self.parents = parents
    }

    func begin(_ request: Request, _ route: RouteLabel) -> RecordedSpan? {
        let caller = request.fields.only(.traceparent).flatMap { TraceParent($0) }
        let method = request.method.rawValue
        let name = route.path.map { "\(method) \($0)" } ?? method
        let span: RecordedSpan
        switch self.parents {
        case .continue:
            // Several lines are one list.
            let state = caller.flatMap { _ in TraceState(request.fields.all(Self.state)) }
            span = self.tracer.begin(name, .server, continuing: caller, state)
        case .link: span = self.tracer.begin(name, .server)
        }
        // The caller has decided against it.
        guard span.isRecording else { return span }
        span.note { attributes in
            attributes["http.request.method"] = .text(method)
            attributes["http.route"] = route.path.map { .text($0) }
            attributes["switchback.route"] = .text(route.name)
        }
        if self.parents == .link, let caller {
            span.addLink(SpanRecord.Link(trace: caller.trace, span: caller.span))
        }
        return span
    }

    func end(_ span: RecordedSpan?, _ status: Status) {
        guard let span else { return }
        if span.isRecording {
            span.note { attributes in
                attributes["http.response.status_code"] = .number(Int64(status.rawValue))
                if status.rawValue >= 500 { attributes["error.type"] = .text(String(status.rawValue)) }
            }
            if status.rawValue >= 500 { span.setStatus(SpanStatus(code: .error)) }
        }
        span.end()
    }

    func abandon(_ span: RecordedSpan?) {
        guard let span, span.isRecording else { return }
        span.note { $0["switchback.client_left"] = .truth(true) }
        span.end()
    }
}
