/// Whoever answers requests.

import HTTPWire

package protocol RequestHandler: Sendable {
    /// Called on the connection's loop, so it must not block. It answers through `exchange`, at once or later; until it
    /// does, the connection waits and nothing else is read into it.
    func handle(_ request: Request, _ exchange: Exchange)

    /// What is said besides with an answer that the server gives in its place: to a request whose body is too large.
    func fields(ofRefusalOf head: RequestHead) -> Fields
}

extension RequestHandler {
    package func fields(ofRefusalOf head: RequestHead) -> Fields { [:] }
}
