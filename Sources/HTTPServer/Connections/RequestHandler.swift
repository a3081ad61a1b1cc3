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

/// Sees how each request of a server ends. Only a sandbox has one. Called on any thread.
package protocol ExchangeRecorder: Sendable {
    /// Returns the response that is sent in place of this one.
    func end(_ request: ResponseHandle.Key, _ response: Response) -> Response

    /// The connection has closed. If its request has no response yet, it gets none.
    func cutOff(_ request: ResponseHandle.Key)
}

extension RequestHandler {
    package func response(to refusal: ServerRefusal) -> Response { refusal.plainResponse }
}
