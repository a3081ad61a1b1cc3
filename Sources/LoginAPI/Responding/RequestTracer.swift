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

    private let tracer: SpanTracer
    private let parents: Parents

    package init(_ tracer: SpanTracer, parents: Parents) {
        self.tracer = tracer
        self.parents = parents
    }

    func begin(_ request: Request, _ route: RouteLabel) -> RecordedSpan? {
        var context = ServiceContext.topLevel
        var link: TraceParent?
        switch self.parents {
        case .continue: self.tracer.extract(request.fields, into: &context, using: FieldExtractor())
        case .link: link = request.fields.only(.traceparent).flatMap { TraceParent($0) }
        }
        let method = request.method.rawValue
        let span = self.tracer.startSpan(
            route.path.map { "\(method) \($0)" } ?? method, context: context, ofKind: .server, at: self.tracer.now)
        // The caller has decided against it.
        guard span.isRecording else { return span }
        span.note { attributes in
            attributes["http.request.method"] = .text(method)
            attributes["http.route"] = route.path.map { .text($0) }
            attributes["switchback.route"] = .text(route.name)
        }
        if let link { span.addLink(FinishedSpan.Link(trace: link.trace, span: link.span)) }
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

/// Several lines of `tracestate` are one list, and several of `traceparent` are malformed.
private struct FieldExtractor: Extractor {
    private static let state: FieldName = "tracestate"

    func extract(key: String, from fields: Fields) -> String? {
        guard let name = FieldName(key) else { return nil }
        guard name == Self.state else { return fields.only(name) }
        let lines = fields.all(name)
        return lines.isEmpty ? nil : lines.joined(separator: ",")
    }
}
