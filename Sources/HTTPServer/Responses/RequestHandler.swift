/// Whoever answers requests.

import HTTPWire

package protocol RequestHandler: Sendable {
    /// Called on the connection's loop, so it must not block. It answers through `handle`, at once or later; until it
    /// does, the connection waits and nothing else is read into it.
    func handle(_ request: Request, _ handle: ResponseHandle)

    /// The words of an answer that the server gives in the handler's place. The status is the server's. Called on the
    /// connection's loop.
    func response(to refusal: ServerRefusal) -> Response
}

extension RequestHandler {
    package func response(to refusal: ServerRefusal) -> Response { refusal.plainResponse }
}
