/// A socket that listens already, because whoever started the process has opened it for the process.

import EventLoop
import Glibc

package struct InheritedSocket: Sendable {
    package enum Failure: Error, Equatable, Sendable {
        case notOpen
        /// A file, a Unix socket, a datagram socket, or one of which nobody accepts connections.
        case notListening
    }

    private let socket: Socket

    /// It is the server's from now on, and no child's.
    package init(descriptor: Int32) throws(Failure) {
        let socket = Socket(descriptor: descriptor)
        guard fcntl(descriptor, F_GETFD) >= 0 else { throw .notOpen }
        let address = SocketAddress(filling: { getsockname(descriptor, $0, $1) == 0 })
        guard let family = address?.family, family == AF_INET || family == AF_INET6, socket.isAccepting else {
            throw .notListening
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        self.socket = socket
    }

    func open() throws(HTTPServer.Failure) -> (socket: Socket, port: UInt16) {
        do throws(EventLoop.Failure) {
            return (self.socket, try self.socket.port())
        } catch {
            throw .system(error)
        }
    }
}

extension Socket {
    /// Only a stream socket can be, so its type need not be asked.
    fileprivate var isAccepting: Bool {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(self.descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value != 0
    }
}
