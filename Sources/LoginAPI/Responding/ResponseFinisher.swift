import HTTPServer
import HTTPWire

/// Adds the common header fields to every response, and reports it for the log and the metrics.
///
/// It is a class, so that each waiting reply holds a reference and not a copy.
final class ResponseFinisher: Sendable {
    private static let requestID: FieldName = "request-id"

    /// Without a final slash.
    let publicURL: String
    private let headers: SecurityHeaders
    private let crossOrigin: CrossOrigin
    private let pages: Pages
    /// Makes a nonce for DPoP proofs. Nil if the server has no sessions.
    private let makeNonce: (@Sendable () -> String)?
    private let observe: @Sendable (CompletedRequest) -> Void
    private let observeRefused: @Sendable (RefusedRequest) -> Void

    init(
        publicURL: String, crossOrigin: CrossOrigin, pages: Pages, makeNonce: (@Sendable () -> String)?,
        observe: @escaping @Sendable (CompletedRequest) -> Void,
        observeRefused: @escaping @Sendable (RefusedRequest) -> Void
    ) {
        self.publicURL = publicURL
        self.headers = SecurityHeaders(publicURL: publicURL, pageScript: pages.script.source)
        self.crossOrigin = crossOrigin
        self.pages = pages
        self.makeNonce = makeNonce
        self.observe = observe
        self.observeRefused = observeRefused
    }

    /// Returns what the response to such a request needs if a browser sent it; nil if nothing.
    func browserNeeds(_ head: RequestHead) -> BrowserNeeds? {
        BrowserNeeds(crossOrigin: self.crossOrigin.headers(to: head), pageReader: PageReader(head))
    }

    /// Returns the response with the common fields, and reports it.
    func finish(_ response: consuming Response, of reply: Reply) -> Response {
        self.headers.add(to: &response.fields, for: Self.audience(of: response))
        let id = reply.id
        response.fields[Self.requestID] = id
        if reply.route.hasNonce, let makeNonce { response.fields[.dpopNonce] = makeNonce() }
        if reply.route.hasTwoForms { response.fields.vary(on: .accept) }
        reply.browser?.crossOrigin?.add(to: &response.fields)
        self.observe(
            CompletedRequest(
                id: id, route: reply.route.rawValue, method: reply.method, status: response.status,
                client: reply.client, duration: reply.duration))
        return response
    }

    /// Returns the response to a refused request. A browser gets a page, and every other client gets JSON.
    func response(to problem: Problem, requestID: String, for reader: PageReader?) -> Response {
        guard let reader else { return problem.response(requestID: requestID, publicURL: self.publicURL) }
        return self.pages.response(to: problem, requestID: requestID, for: reader)
    }

    private static func audience(of response: borrowing Response) -> SecurityHeaders.Audience {
        response.fields[.contentType]?.hasPrefix("text/html") ?? false ? .browser : .api
    }

    /// Makes the response to a request that the server refused before routing. It looks like every other refusal.
    func response(to refusal: ServerRefusal) -> Response {
        let refusedRequest = RefusedRequest(id: RequestNumber().text, code: Problem.Code(refusal))
        var response = self.response(
            to: Problem(refusedRequest.code), requestID: refusedRequest.id, for: PageReader.of(refusal))
        self.headers.add(to: &response.fields, for: Self.audience(of: response))
        response.fields[Self.requestID] = refusedRequest.id
        if let head = refusal.head { self.crossOrigin.headers(to: head)?.add(to: &response.fields) }
        self.observeRefused(refusedRequest)
        return response
    }
}

/// An answered request, for the log and the metrics. It contains no secret and no URL of a login.
package struct CompletedRequest: Sendable {
    package let id: String
    /// A `RouteLabel`.
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
