import HTTPWire

/// A response that the server sends in the handler's place, and its cause. The connection ends with it.
package struct ServerRefusal: Sendable {
    package enum Cause: Equatable, Sendable {
        /// The bytes are not a request, or they exceed a limit.
        case malformed(ParseError)
        /// `Expect` asks for something other than `100-continue` (RFC 9110 §10.1.1).
        case unknownExpectation
        /// The request is `CONNECT`, and the server is not a proxy (RFC 9110 §9.3.6).
        case noProxy
        /// The client did not send the whole request in time.
        case requestTimedOut
        /// The handler did not respond in time.
        case handlerTimedOut
        /// The handler's response cannot be written.
        case handlerFailed
        /// There are too many connections.
        case connectionRefused(ConnectionRefusal)
        /// The port speaks TLS, and the client does not.
        case plainHTTP
    }

    package let cause: Cause
    /// What is known of the request's head. Nil if the server has not read it.
    package let head: RequestHead?

    package init(_ cause: Cause, head: RequestHead? = nil) {
        self.cause = cause
        self.head = head
    }
}

extension ServerRefusal {
    package var status: Status {
        switch self.cause {
        case .malformed(let error): error.status
        case .unknownExpectation: .expectationFailed
        case .noProxy: .notImplemented
        case .requestTimedOut: .requestTimeout
        case .handlerTimedOut, .connectionRefused: .serviceUnavailable
        case .handlerFailed: .internalServerError
        case .plainHTTP: .badRequest
        }
    }

    /// A short response in plain text.
    package var plainResponse: Response {
        let words = self.cause == .plainHTTP ? "this port speaks TLS: use https" : self.status.reason
        return Response(
            self.status, fields: [.contentType: "text/plain; charset=utf-8"],
            body: Array("\(self.status.rawValue) \(words)\n".utf8))
    }
}
