/// What the loops of one server have in common.

import HTTPWire

struct ServerParts: Sendable {
    let limits: ServerLimits
    let waits: WaitLimits
    let handler: any RequestHandler
    let observer: any ServerObserver
    let admission: Admission
    /// Who connects, and begins with a PROXY header. Nil: everybody connects for himself.
    let proxies: [TrustedPeer]?
    /// Nil where connections are not encrypted.
    let tls: ServerTLS?
    /// Called, on any loop, when the last connection has closed.
    let emptied: @Sendable () -> Void
}
