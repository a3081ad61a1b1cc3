import HTTPWire

/// How much of the server one client can use, and all clients together.
package struct ServerLimits: Sendable {
    /// Limits for the size of a request; see `RequestParser`.
    package var request = RequestParser.Limits()
    /// The time from the first byte of a request, or from the beginning of the connection, to the end of its head. Then
    /// 408. A TLS handshake has the same time and is then cut off.
    package var headTime = Duration.seconds(10)
    /// The time from the end of the head to the end of the body. Then 408.
    package var bodyTime = Duration.seconds(20)
    /// The time from a whole request to its response. Then 503. A handler that calls `onGone` has its own deadline
    /// instead.
    package var handlerTime = Duration.seconds(180)
    /// The time between two requests on one connection. Then it is closed.
    package var idleTime = Duration.seconds(75)
    /// The time for a client to take a response. Then it is cut off.
    package var writeTime = Duration.seconds(20)
    /// The bytes that wait when the client does not take a response in parts. Above this it is cut off.
    package var unsent = 256 * 1024
    /// The time for a client to read the last response before its connection is closed for good.
    package var lingerTime = Duration.seconds(1)
    /// The number of TLS handshakes in progress. With one more, the oldest is cut off: each takes 42 KB, and an honest
    /// client needs a fraction of a second.
    package var handshakes = 512
    /// The number of all connections. Shortly before it, connections give way to those of other networks. Then 503.
    package var connections = 15_000
    /// The number of refused connections that get a response at the same time. The others are closed without one.
    package var refusals = 256
    /// Reserves a descriptor, so that we still serve a client when the process has none left.
    package var keepsSpareDescriptor = false
    /// The number of connections of one IPv4 address or one IPv6 /48, while more than half of `connections` is taken. A
    /// /56 may have a quarter of it, a /64 a sixteenth. Then 503. Nil behind a proxy, because all connections have its
    /// address; then no connection gives way to others either.
    package var connectionsPerAddress: Int?
    /// The bytes of further requests that are kept until the present one is answered. More bytes wait in the network.
    package var pipelined = 64 * 1024

    package init() {}
}
