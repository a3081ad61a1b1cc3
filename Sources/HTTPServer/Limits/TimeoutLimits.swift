import EventLoop

/// How long a connection may wait, in milliseconds. Computed once, because every request needs it.
struct TimeoutLimits: Sendable {
    private let first: Int64
    private let request: Int64
    private let head: Int64
    private let body: Int64
    private let handler: Int64
    private let write: Int64
    private let linger: Int64

    init(_ limits: ServerLimits) {
        // A client that has just connected should send its request soon.
        self.first = min(limits.headTime, limits.idleTime).milliseconds
        self.request = limits.idleTime.milliseconds
        self.head = limits.headTime.milliseconds
        self.body = limits.bodyTime.milliseconds
        self.handler = limits.handlerTime.milliseconds
        self.write = limits.writeTime.milliseconds
        self.linger = limits.lingerTime.milliseconds
    }

    /// `sequence` is 0 before the first request.
    func limit(of wait: TimeoutKind?, sequence: UInt32) -> Int64 {
        switch wait {
        case .handshake: self.head
        case .request: sequence == 0 ? self.first : self.request
        case .head: self.head
        case .body: self.body
        case .handler: self.handler
        case .write: self.write
        case .linger: self.linger
        case nil: 0
        }
    }
}

/// What a connection waits for. Each wait has its own time limit.
package enum TimeoutKind: String, Sendable, CaseIterable {
    /// The rest of a TLS handshake.
    case handshake
    /// The first byte of the next request.
    case request
    /// The rest of a head.
    case head
    /// The rest of a body.
    case body
    /// The handler's response.
    case handler
    /// The client taking the response.
    case write
    /// The client closing the connection after the last response.
    case linger
}
