import HTTPServer
import HTTPWire
import Traces
import Tracing

/// What the responses of all routes have in common.
struct CommonFields: Sendable {
    /// Without a final slash.
    let publicURL: String
    fileprivate let headers: SecurityHeaders
    fileprivate let crossOrigin: CrossOrigin
    fileprivate let pages: Pages
    /// Makes a nonce for DPoP proofs. Nil if the server has no sessions.
    fileprivate let makeNonce: (@Sendable () -> String)?
    /// Nil if nothing is traced.
    fileprivate let tracer: RequestTracer?
    fileprivate let observe: @Sendable (CompletedRequest) -> Void
    fileprivate let observeRefused: @Sendable (RefusedRequest) -> Void

    init(
        publicURL: String, crossOrigin: CrossOrigin, pages: Pages, makeNonce: (@Sendable () -> String)?,
        tracer: RequestTracer?,
        observe: @escaping @Sendable (CompletedRequest) -> Void,
        observeRefused: @escaping @Sendable (RefusedRequest) -> Void
    ) {
        self.publicURL = publicURL
        self.headers = SecurityHeaders(publicURL: publicURL, pageScript: pages.script.source)
        self.crossOrigin = crossOrigin
        self.pages = pages
        self.makeNonce = makeNonce
        self.tracer = tracer
        self.observe = observe
        self.observeRefused = observeRefused
    }
}

/// Adds the fields to every response of a route, and reports it for the log and the metrics.
///
/// It is a class, so that each waiting reply holds a reference and not a copy.
final class ResponseFinisher: Sendable {
    private static let requestID: FieldName = "request-id"

    private let route: RouteLabel
    private let common: CommonFields

    init(_ route: RouteLabel, _ common: CommonFields) {
        self.route = route
        self.common = common
    }

    /// Begins the work on a request, and its span if something is traced. Returns what else its response needs.
    func extras(of request: Request, _ number: RequestNumber) -> ReplyExtras? {
        ReplyExtras(
            crossOrigin: self.common.crossOrigin.headers(to: request.head), pageReader: PageReader(request.head),
            tracedWork: self.common.tracer.map { WorkContext(number, $0.begin(request, self.route)) })
    }

    /// Ends the span of a request whose client has left.
    func abandon(_ span: RecordedSpan?) { self.common.tracer?.abandon(span) }

    /// Returns the response with the common fields, and reports it.
    func finish(_ response: consuming Response, of reply: Reply) -> Response {
        self.common.headers.add(to: &response.fields, for: Self.audience(of: response))
        let id = reply.id
        response.fields[Self.requestID] = id
        if self.route.hasNonce, let makeNonce = self.common.makeNonce { response.fields[.dpopNonce] = makeNonce() }
        if self.route.hasTwoForms { response.fields.vary(on: .accept) }
        reply.crossOrigin?.add(to: &response.fields)
        reply.working {
            self.common.observe(
                CompletedRequest(
                    id: id, route: self.route.name, method: reply.method, status: response.status,
                    client: reply.client, duration: reply.duration))
        }
        self.common.tracer?.end(reply.span, response.status)
        return response
    }

    /// Returns the response to a refused request. A browser gets a page, and every other client gets JSON.
    func response(to problem: Problem, requestID: String, for reader: PageReader?) -> Response {
        guard let reader else { return problem.response(requestID: requestID, publicURL: self.common.publicURL) }
        return self.common.pages.response(to: problem, requestID: requestID, for: reader)
    }

    private static func audience(of response: borrowing Response) -> SecurityHeaders.Audience {
        response.fields[.contentType]?.hasPrefix("text/html") ?? false ? .browser : .api
    }

    /// Makes the response to a request that the server refused before routing. It looks like every other refusal.
    func response(to refusal: ServerRefusal) -> Response {
        let refusedRequest = RefusedRequest(id: RequestNumber().text, code: Problem.Code(refusal))
        var response = self.response(
            to: Problem(refusedRequest.code), requestID: refusedRequest.id, for: PageReader.of(refusal))
        self.common.headers.add(to: &response.fields, for: Self.audience(of: response))
        response.fields[Self.requestID] = refusedRequest.id
        if let head = refusal.head { self.common.crossOrigin.headers(to: head)?.add(to: &response.fields) }
        self.common.observeRefused(refusedRequest)
        return response
    }
}

/// An answered request, for the log and the metrics. It contains no secret and no URL of a login.
package struct CompletedRequest: Sendable {
    package let id: String
    /// The name of a `RouteLabel`.
    package let route: String
    package let method: Method
    package let status: Status
    package let client: IPAddress
    /// From the request to its response, including the wait of a long poll.
    package let duration: Duration
}

/// A request that the server refused before routing, for the log.
package struct RefusedRequest: Sendable {
    /// The response's `Request-Id`.
    package let id: String
    package let code: Problem.Code
}
