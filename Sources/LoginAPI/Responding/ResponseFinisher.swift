/// Adds the common header fields to every response, and reports it for the log and the metrics.
import HTTPServer
import HTTPWire

/// A class, so that each waiting reply holds a reference and not a copy.
final class ResponseFinisher: Sendable {
    private static let requestID: FieldName = "request-id"

    /// Without a final slash.
    let publicURL: String
    private let headers: SecurityHeaders
    private let crossOrigin: CrossOrigin
    /// Makes a nonce for DPoP proofs. Nil if the server has no sessions.
    private let makeNonce: (@Sendable () -> String)?
    private let observe: @Sendable (CompletedRequest) -> Void
    private let observeRefused: @Sendable (RefusedRequest) -> Void

    init(
        publicURL: String, headers: SecurityHeaders, crossOrigin: CrossOrigin, makeNonce: (@Sendable () -> String)?,
        observe: @escaping @Sendable (CompletedRequest) -> Void,
        observeRefused: @escaping @Sendable (RefusedRequest) -> Void
    ) {
        self.publicURL = publicURL
        self.headers = headers
        self.crossOrigin = crossOrigin
        self.makeNonce = makeNonce
        self.observe = observe
        self.observeRefused = observeRefused
    }

    /// Returns the CORS fields of the response to such a request.
    func crossOriginHeaders(to head: RequestHead) -> CrossOrigin.Headers? { self.crossOrigin.headers(to: head) }

    /// Returns the response with the common fields, and reports it.
    func finish(_ response: consuming Response, of reply: Reply) -> Response {
        let isPage = response.fields[.contentType]?.hasPrefix("text/html") ?? false
        self.headers.add(to: &response.fields, for: isPage ? .browser : .api)
        response.fields[Self.requestID] = reply.id
        if reply.hasNonce, let makeNonce { response.fields[.dpopNonce] = makeNonce() }
        if reply.varies { response.fields.vary(on: .accept) }
        reply.crossOrigin?.add(to: &response.fields)
        self.observe(
            CompletedRequest(
                id: reply.id, route: reply.route, method: reply.method, status: response.status, client: reply.client,
                duration: reply.duration))
        return response
    }

    /// Makes the response to a request that the server refused before routing. It looks like every other refusal.
    func response(to refusal: ServerRefusal) -> Response {
        let refused = RefusedRequest(id: Reply.makeID(), code: Problem.Code(refusal))
        var response = Problem(refused.code).response(requestID: refused.id, publicURL: self.publicURL)
        self.headers.add(to: &response.fields, for: .api)
        response.fields[Self.requestID] = refused.id
        if let head = refusal.head { self.crossOrigin.headers(to: head)?.add(to: &response.fields) }
        self.observeRefused(refused)
        return response
    }
}

/// An answered request, for the log and the metrics. It contains no secret and no URL of a login.
package struct CompletedRequest: Sendable {
    package let id: String
    /// One of `Route`'s labels, or `none`.
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
