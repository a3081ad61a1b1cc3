/// A socket that listens already, because whoever started the process has opened it for the process.

import EventLoop
import Glibc

package struct InheritedSocket: Sendable {
    private let socket: Handover<ListeningSocket>
    /// Where whoever opened it has put it.
    package let place: Listen

    /// It is the server's from now on, and no child's. When this throws, it stays the caller's.
    package init(descriptor: Int32) throws(InheritedSocketError) {
        guard fcntl(descriptor, F_GETFD) >= 0 else { throw .notOpen }
        guard let place = SocketAddress(of: descriptor)?.listen, Self.isAccepting(descriptor) else {
            throw .notListening
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        self.socket = Handover(ListeningSocket(Descriptor(owning: descriptor)))
        self.place = place
    }

    /// For one server; nil when it has been taken. The file of a Unix socket stays with whoever made it.
    func take() -> ListeningSocket? { self.socket.take() }

    /// Only a stream socket can be, so its type need not be asked.
    private static func isAccepting(_ descriptor: Int32) -> Bool {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value != 0
    }
}

package enum InheritedSocketError: Error, Equatable, Sendable, CustomStringConvertible {
    case notOpen
    /// A file, a datagram socket, a Unix socket without a path, or one that does not accept connections.
    case notListening

    package var description: String {
        switch self {
        case .notOpen: "the descriptor is not open; whoever starts the process must hand it over"
        case .notListening: "the descriptor must be a listening TCP socket or a Unix socket with a path"
        }
    }
}
