import HTTPWire

/// Handles the requests that a server has read.
package protocol RequestHandler: Sendable {
    /// Called on the connection's loop, so it must not block. It responds through `handle`, now or later. Until then
    /// the connection waits and reads no further request.
    func handle(_ request: Request, _ handle: ResponseHandle)

    /// Returns the response that the server sends in the handler's place. The server sets the status. Called on the
    /// connection's loop.
    func response(to refusal: ServerRefusal) -> Response
}

extension RequestHandler {
    package func response(to refusal: ServerRefusal) -> Response { refusal.plainResponse }
}
