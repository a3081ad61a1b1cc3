/// How much of the server one client, and all of them together, can have.

import HTTPWire

package struct ServerLimits: Sendable {
    /// Sizes of a request; see `RequestParser`.
    package var request = RequestParser.Limits()
    /// From the first byte of a request, or from the connection's beginning, to the end of its head. Then 408. As long for
    /// a TLS handshake, which is then cut off.
    package var headTime = Duration.seconds(10)
    /// From the end of the head to the end of the body. Then 408.
    package var bodyTime = Duration.seconds(20)
    /// From a whole request to its answer. Then 503. Whoever asks to be told that the client has gone keeps a time of his own.
    package var handlerTime = Duration.seconds(180)
    /// Between two requests on one connection. Then it is closed.
    package var idleTime = Duration.seconds(60)
    /// For a client to take an answer. Then it is cut off.
    package var writeTime = Duration.seconds(20)
    /// What is kept of an answer in parts that its client does not take. More, and it is cut off.
    package var unsent = 256 * 1024
    /// For a client to read the last answer before its connection is closed for good.
    package var lingerTime = Duration.seconds(1)
    /// TLS handshakes under way. One more, and the oldest is cut off: each takes 42 KB, and an honest client needs a
    /// fraction of a second.
    package var handshakes = 512
    /// All connections. Then 503.
    package var connections = 20_000
    /// Refused connections that are told so at the same time. The others are closed without a word.
    package var refusals = 256
    /// Keeps a descriptor back, so that a client is still served when the process has none left.
    package var keepsSpareDescriptor = false
    /// Connections of one IPv4 address or one IPv6 /64. Then 503. Nil behind a proxy, whose address all of them have.
    package var connectionsPerAddress: Int?
    /// What is kept of further requests while one is being answered; more is left to wait in the network.
    package var pipelined = 64 * 1024

    package init() {}
}
