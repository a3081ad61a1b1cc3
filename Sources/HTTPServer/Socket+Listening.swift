// The system calls on a socket that listens.

import CEpoll
import EventLoop
import Glibc
import HTTPWire

extension Socket {
    enum Accepted {
        /// The peer of a Unix socket has no address.
        case connection(Socket, from: IPAddress?)
        case none
        /// The process or the system has no descriptors or memory left.
        case exhausted(EventLoop.Failure)
        /// This one is gone; there may be others.
        case failed
    }

    /// Bound and listening.
    static func listening(at address: SocketAddress, sharesPort: Bool = false) throws(EventLoop.Failure) -> Socket {
        let socket = try Self.stream(address.family)
        do throws(EventLoop.Failure) {
            // A restarted server may have its port back while old connections are still being forgotten.
            try socket.set(SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR")
            // socket(7): all who listen there must have said so, and be of one user.
            if sharesPort { try socket.set(SOL_SOCKET, SO_REUSEPORT, 1, "SO_REUSEPORT") }
            // `::` means every address, the IPv4 ones too, whatever the machine's default.
            if address.family == AF_INET6 { try socket.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0, "IPV6_V6ONLY") }
            try socket.bind(to: address)
            try socket.listen()
            return socket
        } catch {
            socket.close()
            throw error
        }
    }

    static func stream(_ family: Int32) throws(EventLoop.Failure) -> Socket {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(family, kind, 0)
        guard descriptor >= 0 else { throw EventLoop.Failure(call: "socket") }
        return Socket(descriptor: descriptor)
    }

    func bind(to address: SocketAddress) throws(EventLoop.Failure) {
        guard address.withPointer({ Glibc.bind(self.descriptor, $0, $1) }) == 0 else {
            throw EventLoop.Failure(call: "bind")
        }
    }

    func listen(backlog: Int32 = 4096) throws(EventLoop.Failure) {
        guard Glibc.listen(self.descriptor, backlog) == 0 else { throw EventLoop.Failure(call: "listen") }
    }

    /// Where it listens, with the port that the system chose when it was asked for port 0. Nil when nobody can tell.
    var place: Listen? { SocketAddress(filling: { getsockname(self.descriptor, $0, $1) == 0 })?.listen }

    /// Sets what accepted sockets inherit (tcp(7)). Serving goes on without what a system does not have. On a Unix socket
    /// there is nothing to set: the peer is on this machine.
    func prepareAccepted(writeLimit: Duration) {
        guard self.place?.host != nil else { return }
        // An answer is written in one piece; waiting for more to send would only delay it.
        try? self.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1, "TCP_NODELAY")
        // The system gives up on a client that acknowledges nothing, or leaves no room, for this long. Left alone it would
        // go on trying for minutes, and keep the bytes.
        let limit = Int32(clamping: max(1, writeLimit.milliseconds))
        try? self.set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, limit, "TCP_USER_TIMEOUT")
        // Bytes that cannot go out yet wait with us, where their deadline runs, and not in the system's memory.
        try? self.set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Self.unsent, "TCP_NOTSENT_LOWAT")
    }

    /// What the system may hold of an answer besides the bytes that are on their way.
    private static let unsent: Int32 = 128 * 1024

    func accept() -> Accepted {
        var descriptor: Int32 = -1
        let address = SocketAddress {
            descriptor = accept4(self.descriptor, $0, $1, Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue))
            return descriptor >= 0
        }
        guard descriptor >= 0 else { return Self.acceptFailed() }
        let socket = Socket(descriptor: descriptor)
        guard let address, address.host != nil || address.family == AF_UNIX else {
            socket.close()
            return .failed
        }
        return .connection(socket, from: address.host)
    }

    private static func acceptFailed() -> Accepted {
        switch errno {
        case EAGAIN, EWOULDBLOCK: .none
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: .exhausted(EventLoop.Failure(call: "accept"))
        // accept(2): errors that are pending on the new connection are given here, and are not ours.
        default: .failed
        }
    }

    private func set(_ level: Int32, _ name: Int32, _ value: Int32, _ call: String) throws(EventLoop.Failure) {
        var value = value
        let size = socklen_t(MemoryLayout<Int32>.size)
        guard setsockopt(self.descriptor, level, name, &value, size) == 0 else { throw EventLoop.Failure(call: call) }
    }
}
