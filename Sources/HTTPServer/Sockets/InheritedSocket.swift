import EventLoop
import Glibc
import Synchronization

/// A socket that listens already, because the program that started this process opened it.
package struct InheritedSocket: Sendable {
    private let socket: OneTimeTransfer<ListeningSocket>
    /// The address that the opener bound it to.
    package let place: ListenAddress

    /// Takes ownership of the descriptor and keeps it from child processes. Returns nil unless it is open, accepts
    /// connections, and is a TCP socket or a Unix socket with a path. The caller then still owns it.
    package init?(descriptor: Int32) {
        guard let place = SocketAddress(of: descriptor)?.listen, Self.isAccepting(descriptor) else { return nil }
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

/// Hands a value with one owner to a task that cannot receive it directly.
///
/// The first taker gets the value. Without a taker, the value ends with this object.
final class OneTimeTransfer<Value: ~Copyable & Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: consuming Value) { self.value = Mutex(value) }

    /// Returns nil when the value has been taken.
    func take() -> Value? { self.value.withLock { $0.take() } }
}
