/// What a connection waits for, each with its own limit of time.
package enum ConnectionWait: String, Sendable, CaseIterable {
    /// The rest of a TLS handshake.
    case handshake
    /// The first byte of the next request.
    case request
    /// The rest of a head.
    case head
    /// The rest of a body.
    case body
    /// The handler's answer.
    case handler
    /// The client's taking the answer.
    case write
    /// The client's closing, after the last answer.
    case linger
}
