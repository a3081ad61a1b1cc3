/// A socket that listens already, because whoever started the process has opened it for the process.

import EventLoop
import Glibc

package struct InheritedSocket: Sendable {
    package enum Failure: Error, Equatable, Sendable {
        case notOpen
        /// A file, a datagram socket, a Unix socket without a path, or one that does not accept connections.
        case notListening
    }

    private let socket: Socket
    /// Where whoever opened it has put it.
    package let place: Listen

    /// It is the server's from now on, and no child's.
    package init(descriptor: Int32) throws(Failure) {
        let socket = Socket(descriptor: descriptor)
        guard fcntl(descriptor, F_GETFD) >= 0 else { throw .notOpen }
        guard let place = socket.place, socket.isAccepting else { throw .notListening }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        self.socket = socket
        self.place = place
    }

    /// The file of a Unix socket stays with whoever made it.
    func open() -> (socket: Socket, file: SocketFile?) { (self.socket, nil) }
}

extension Socket {
    /// Only a stream socket can be, so its type need not be asked.
    fileprivate var isAccepting: Bool {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(self.descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value != 0
    }
}
