import EventLoop
import HTTPWire

/// Counts what a server does. Called on the loops, so it must be quick and never block.
package protocol ServerObserver: Sendable {
    func connectionOpened()
    func connectionClosed()
    func connectionRefused(_ reason: ConnectionRefusal)
    /// A connection was ended, or its poll answered early, because others need its place.
    func connectionDisplaced(_ kind: Displacement)
    /// We accept nothing for a while, because the process or the system has no descriptors or memory left.
    func acceptingPaused(_ failure: SystemCallError)
    func requestReceived()
    func responseSent(_ status: Status)
    /// The bytes were not a request. The client got the error's status.
    func requestRefused(_ error: ParseError)
    /// A handler's response cannot be written. The client got 500.
    func responseFailed(_ failure: WriteError)
    func timedOut(_ wait: TimeoutKind)
    /// A TLS handshake failed for another reason than its time limit.
    func handshakeFailed(_ failure: HandshakeFailure)
    func bytesReceived(_ count: Int)
    func bytesSent(_ count: Int)
}

extension ServerObserver {
    package func connectionOpened() {}
    package func connectionClosed() {}
    package func connectionRefused(_ reason: ConnectionRefusal) {}
    package func connectionDisplaced(_ kind: Displacement) {}
    package func acceptingPaused(_ failure: SystemCallError) {}
    package func requestReceived() {}
    package func responseSent(_ status: Status) {}
    package func requestRefused(_ error: ParseError) {}
    package func responseFailed(_ failure: WriteError) {}
    package func timedOut(_ wait: TimeoutKind) {}
    package func handshakeFailed(_ failure: HandshakeFailure) {}
    package func bytesReceived(_ count: Int) {}
    package func bytesSent(_ count: Int) {}
}

/// Counts nothing.
package struct NoObserver: ServerObserver {
    package init() {}
}
