/// Whom a client may talk to, and how. What is not said here is refused.
package struct OutboundSettings: Sendable {
    /// PEM. With it only these authorities count; without it the system's do.
    package var caFile: String?
    /// A certificate in PEM that is shown to servers that ask for one (RFC 8705), and the file of its private key.
    package var clientCertificateFile: String?
    package var clientKeyFile: String?
    /// Whether the first answer of a connection tells when the server's certificate ends.
    package var readsCertificate = false
    /// Permits loopback addresses, and plain http to them.
    package var allowInsecureLoopback = false
    /// Where plain http is permitted although it is not loopback, at whatever address but the unusable ones: a sandbox that
    /// a phone is to reach. In lower case.
    package var insecureHosts: Set<String> = []
    /// Permits private and loopback addresses over https. Link-local ones (cloud metadata lives there), multicast and
    /// reserved ones are never permitted.
    package var allowPrivateAddresses = false
    /// Names or literal addresses, without port; compared without case.
    package var allowedHosts: Set<String>
    package var connectTimeout: Duration = .seconds(5)
    /// How many requests may run at the same time, each on a connection; further ones wait for their turn.
    package var maxConnections = 64
    /// How many requests may wait.
    package var maxWaiting = 1024
    /// How long one may wait.
    package var patience: Duration = .seconds(5)
    /// False where no request may be repeated: then no connection is used a second time, and none is kept.
    package var keepsConnections = true
    /// How many bytes the head of an answer may have, interim answers and trailers included.
    package var headLimit = 32 * 1024
    package var userAgent = "Switchback"

    package init(allowedHosts: Set<String>) {
        self.allowedHosts = allowedHosts
    }
}
