/// Puts on every answer what belongs on every answer, and tells who counts them.
import HTTPServer
import HTTPWire

/// A class, so that each reply that waits refers to it and has no copy.
final class AnswerFinisher: Sendable {
    private static let requestID: FieldName = "request-id"

    /// Without a slash at its end.
    let publicURL: String
    private let headers: SecurityHeaders
    private let crossOrigin: CrossOrigin
    private let observe: @Sendable (AnsweredRequest) -> Void
    private let observeRefused: @Sendable (RefusedRequest) -> Void

    init(
        publicURL: String, headers: SecurityHeaders, crossOrigin: CrossOrigin,
        observe: @escaping @Sendable (AnsweredRequest) -> Void,
        observeRefused: @escaping @Sendable (RefusedRequest) -> Void
    ) {
        self.publicURL = publicURL
        self.headers = headers
        self.crossOrigin = crossOrigin
        self.observe = observe
        self.observeRefused = observeRefused
    }

    /// What browsers are told in the answer to such a request.
    func crossOriginWords(to head: RequestHead) -> CrossOrigin.Words? { self.crossOrigin.words(to: head) }

    /// With what every answer has, and counted.
    func finished(_ response: consuming Response, of reply: Reply) -> Response {
        let isPage = response.fields[.contentType]?.hasPrefix("text/html") ?? false
        self.headers.add(to: &response.fields, for: isPage ? .person : .program)
        response.fields[Self.requestID] = reply.id
        if reply.varies { response.fields.vary(on: .accept) }
        reply.crossOrigin?.add(to: &response.fields)
        self.observe(
            AnsweredRequest(
                id: reply.id, route: reply.route, method: reply.method, status: response.status, client: reply.client,
                duration: reply.startedAt.duration(to: .now)))
        return response
    }

    /// What the server refuses before it is a request for any route has the shape of every other refusal.
    func response(to refusal: ServerRefusal) -> Response {
        let refused = RefusedRequest(id: Reply.makeID(), code: Problem.Code(refusal))
        var response = Problem(refused.code).response(requestID: refused.id, publicURL: self.publicURL)
        self.headers.add(to: &response.fields, for: .program)
        response.fields[Self.requestID] = refused.id
        if let head = refusal.head { self.crossOrigin.words(to: head)?.add(to: &response.fields) }
        self.observeRefused(refused)
        return response
    }
}

/// A request that has been answered, for the log and the metrics. It holds no secret and no address of a login.
package struct AnsweredRequest: Sendable {
    package let id: String
    /// One of `Route`'s labels, or `none`.
    package let route: String
    package let method: Method
    package let status: Status
    package let client: IPAddress
    /// From the request to its answer, the time that it was held included.
    package let duration: Duration
}

/// What the server refused before it was a request for any route, for the log.
package struct RefusedRequest: Sendable {
    /// As in the answer's `Request-Id`.
    package let id: String
    package let code: Problem.Code
}
