/// An answer that the server gives where no handler has answered, and why. The connection ends with it.

import HTTPWire

package struct ServerRefusal: Sendable {
    package enum Cause: Equatable, Sendable {
        /// The bytes are not a request, or they are larger than one may be.
        case malformed(ParseError)
        /// `Expect` asks for something else than `100-continue` (RFC 9110 §10.1.1).
        case unknownExpectation
        /// The request is `CONNECT`, and the server is no proxy (RFC 9110 §9.3.6).
        case noProxy
        /// The client has not sent the whole request within its time.
        case requestTimedOut
        /// The handler has not answered within its time.
        case handlerTimedOut
        /// The handler's answer cannot be written.
        case handlerFailed
        /// There are too many connections.
        case connectionRefused(ConnectionRefusal)
        /// The port speaks TLS, and the client does not.
        case plainHTTP
    }

    package let cause: Cause
    /// Set when the request's head was read.
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

    /// In a few words, as text.
    package var plainResponse: Response {
        let words = self.cause == .plainHTTP ? "this port speaks TLS: ask by https" : self.status.reason
        return Response(
            self.status, fields: [.contentType: "text/plain; charset=utf-8"],
            body: Array("\(self.status.rawValue) \(words)\n".utf8))
    }
}
