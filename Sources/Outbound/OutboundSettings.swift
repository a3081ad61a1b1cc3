/// Which hosts a client may talk to, and how. Everything else is refused.
package struct OutboundSettings: Sendable {
    /// PEM. If set, only these authorities count; otherwise the system's do.
    package var caFile: String?
    /// A certificate in PEM for servers that ask for one (RFC 8705), and the file of its private key.
    package var clientCertificateFile: String?
    package var clientKeyFile: String?
    /// Whether the first response of a connection tells when the server's certificate ends.
    package var readsCertificate = false
    /// Permits loopback addresses, and plain http to them.
    package var allowInsecureLoopback = false
    /// Hosts with plain http at any address that is not unusable, in lower case: a sandbox that a phone must reach.
    package var insecureHosts: Set<String> = []
    /// Permits private and loopback addresses over https. Link-local addresses (cloud metadata lives there), multicast
    /// and reserved ones are never permitted.
    package var allowPrivateAddresses = false
    /// Names or literal addresses, without port. Their case does not matter.
    package var allowedHosts: Set<String>
    package var connectTimeout: Duration = .seconds(5)
    /// The most requests that run at the same time, each on its own connection. Further ones wait for their turn.
    package var maxConnections = 64
    /// Urgent requests do not count among them; there are at most so many of those at a time.
    package static let urgentConnections = 2
    /// The most requests that may wait.
    package var maxWaiting = 1024
    /// The longest time that a request may wait, unless it says how long.
    package var queueTimeout: Duration = .seconds(5)
    /// False where no request may be repeated: then every connection serves one request and is closed.
    package var keepsConnections = true
    /// The most bytes that the head of a response may have, including interim responses and trailers.
    package var headLimit = 32 * 1024
    package var userAgent = "Switchback"

    package init(allowedHosts: Set<String>) {
        self.allowedHosts = allowedHosts
    }
}
