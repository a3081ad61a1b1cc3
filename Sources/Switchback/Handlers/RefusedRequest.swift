/// What the server refused before it was a request for any route, for the log.
package struct RefusedRequest: Sendable {
    /// As in the answer's `Request-Id`.
    package let id: String
    package let code: Problem.Code
}
