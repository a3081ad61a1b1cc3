/// Why there is no answer. The texts are for the log: no query, no body, no field of a request is in them.
package enum OutboundError: Error, Equatable, Sendable {
    /// No connection: the name is unknown, nobody listens, no route.
    case unreachable(String)
    /// No descriptor was left to open a connection with. Nothing was sent, and nothing is known of the server.
    case noDescriptors(String)
    /// The deadline or the time for connecting is over.
    case timedOut
    /// The answer's body or head is larger than allowed.
    case tooLarge
    /// TLS was not agreed upon: unknown issuer, other name, out of date, version too old.
    case certificate(String)
    /// We did not ask: host, scheme, address or request is against the rules.
    case refused(String)
    /// There was a connection, and no proper answer on it.
    case broken(String)
    /// It was not its turn for too long, or too many wait.
    case busy
    /// The task was cancelled, or the client closed.
    case cancelled
}
