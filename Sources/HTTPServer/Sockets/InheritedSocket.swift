import EventLoop
import Glibc

/// A socket that listens already, because the program that started this process opened it.
package struct InheritedSocket: Sendable {
    private let socket: OneTimeTransfer<ListeningSocket>
    /// The address that the opener bound it to.
    package let place: ListenAddress

    /// Takes ownership of the descriptor and keeps it from child processes. When this throws, the caller still owns it.
    package init(descriptor: Int32) throws(InheritedSocketError) {
        guard fcntl(descriptor, F_GETFD) >= 0 else { throw .notOpen }
        guard let place = SocketAddress(of: descriptor)?.listen, Self.isAccepting(descriptor) else {
            throw .notListening
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        self.socket = OneTimeTransfer(ListeningSocket(Descriptor(owning: descriptor)))
        self.place = place
    }

    /// Returns the socket for one server; nil when it has been taken. The file of a Unix socket belongs to its creator.
    func take() -> ListeningSocket? { self.socket.take() }

    /// SO_ACCEPTCONN is true only for stream sockets, so the type needs no check.
    private static func isAccepting(_ descriptor: Int32) -> Bool {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value != 0
    }
}

/// Why the server cannot listen on the descriptor that it inherited.
package enum InheritedSocketError: Error, Equatable, Sendable, CustomStringConvertible {
    case notOpen
    /// It is a file, a datagram socket, a Unix socket without a path, or a socket that does not accept connections.
    case notListening

    package var description: String {
        switch self {
        case .notOpen: "the descriptor is not open; the program that starts the server must pass it on"
        case .notListening: "the descriptor must be a listening TCP socket or a Unix socket with a path"
        }
    }
}
