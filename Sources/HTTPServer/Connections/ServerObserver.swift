/// Whoever counts what a server does. Called on the loops, so it must be quick and never block.

import EventLoop
import HTTPWire

package protocol ServerObserver: Sendable {
    func connectionOpened()
    func connectionClosed()
    func connectionRefused(_ reason: ConnectionRefusal)
    /// Nothing is accepted for a moment, because the process or the system has no descriptors or memory left.
    func acceptingPaused(_ failure: SystemCallError)
    func requestReceived()
    func responseSent(_ status: Status)
    /// Bytes that were not a request; the client has been told by the error's status.
    func requestRefused(_ error: ParseError)
    /// A handler's answer that cannot be written; the client has been told 500.
    func responseFailed(_ failure: WriteError)
    func timedOut(_ wait: ConnectionWait)
    /// A TLS handshake that did not come to its end, other than by its time.
    func handshakeFailed(_ failure: HandshakeFailure)
    func bytesReceived(_ count: Int)
    func bytesSent(_ count: Int)
}

extension ServerObserver {
    package func connectionOpened() {}
    package func connectionClosed() {}
    package func connectionRefused(_ reason: ConnectionRefusal) {}
    package func acceptingPaused(_ failure: SystemCallError) {}
    package func requestReceived() {}
    package func responseSent(_ status: Status) {}
    package func requestRefused(_ error: ParseError) {}
    package func responseFailed(_ failure: WriteError) {}
    package func timedOut(_ wait: ConnectionWait) {}
    package func handshakeFailed(_ failure: HandshakeFailure) {}
    package func bytesReceived(_ count: Int) {}
    package func bytesSent(_ count: Int) {}
}

/// Counts nothing.
package struct NoObserver: ServerObserver {
    package init() {}
}
