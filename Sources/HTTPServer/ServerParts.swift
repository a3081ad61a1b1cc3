/// What the loops of one server have in common.
struct ServerParts: Sendable {
    let limits: ServerLimits
    let waits: WaitLimits
    let handler: any RequestHandler
    let observer: any ServerObserver
    let admission: Admission
    /// Nil where connections are not encrypted.
    let tls: ServerTLS?
    /// Called, on any loop, when the last connection has closed.
    let emptied: @Sendable () -> Void
}
