import Base
import CEpoll
import EventLoop
import Glibc
import HTTPWire

/// A non-blocking listening socket with one owner, and the system calls on it. `close` closes it, and so does the end
/// of its owner.
struct ListeningSocket: ~Copyable, Sendable {
    enum Accepted: ~Copyable {
        /// The peer of a Unix socket has no address.
        case connection(Socket, from: IPAddress?)
        case none
        /// The process or the system has no descriptors or memory left.
        case exhausted(SystemCallError)
        /// This connection is gone, but others may wait.
        case failed
    }

    /// How many bytes of a response the system may keep, besides those on their way.
    private static let unsent: Int32 = 128 * 1024

    private var owned: Descriptor
    /// Set for a Unix socket that we created.
    let file: SocketFile?

    /// Takes a socket that is bound and listens already.
    init(_ descriptor: consuming Descriptor, file: SocketFile? = nil) {
        self.owned = descriptor
        self.file = file
    }

    /// Negative once the socket is closed.
    var descriptor: Int32 { self.owned.number }

    /// Where it listens, with the port that the system chose for port 0. Nil when the system does not say.
    var place: ListenAddress? { SocketAddress(of: self.descriptor)?.listen }

    /// Sets the options that accepted sockets inherit (tcp(7)), and ignores those that the system does not have. A Unix
    /// socket needs none: its peer is on this machine.
    func prepareAccepted(writeLimit: Duration) {
        guard self.place?.host != nil else { return }
        // We write a response in one piece, so waiting for more bytes would only delay it.
        try? self.owned.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1, "TCP_NODELAY")
        // The system gives up on a client that acknowledges nothing, or leaves no room, for this long. By default it
        // would keep trying for minutes, and keep the bytes.
        let limit = Int32(clamping: max(1, writeLimit.milliseconds))
        try? self.owned.set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, limit, "TCP_USER_TIMEOUT")
        // Bytes that cannot be sent yet wait with us, where their deadline runs, and not in the system's memory.
        try? self.owned.set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Self.unsent, "TCP_NOTSENT_LOWAT")
    }

    func accept() -> Accepted {
        var number: Int32 = -1
        let address = SocketAddress {
            number = accept4(self.descriptor, $0, $1, Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue))
            return number >= 0
        }
        guard number >= 0 else { return Self.acceptFailed() }
        let socket = Socket(Descriptor(owning: number))
        guard let address, address.host != nil || address.family == AF_UNIX else { return .failed }
        return .connection(socket, from: address.host)
    }

    private static func acceptFailed() -> Accepted {
        switch errno {
        case EAGAIN, EWOULDBLOCK: .none
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: .exhausted(SystemCallError(call: "accept"))
        // accept(2) also returns pending errors of the new connection; they are not ours.
        default: .failed
        }
    }

    /// Its loop must have stopped watching it. The file of a Unix socket stays.
    mutating func close() { self.owned.close() }
}

// MARK: - Opening

extension ListeningSocket {
    /// Listens at the address. Creates the file of a Unix socket.
    static func open(_ listen: ListenAddress, sharesPort: Bool) throws(OperatorError) -> ListeningSocket {
        do throws(SystemCallError) {
            switch listen {
            case .tcp(let host, let port):
                return try Self.open(SocketAddress(host, port: port), sharesPort: sharesPort)
            case .unix(let path): return try Self.open(path)
            }
        } catch {
            throw OperatorError(error, at: listen)
        }
    }

    private static func open(_ address: SocketAddress, sharesPort: Bool) throws(SystemCallError) -> ListeningSocket {
        let descriptor = try Descriptor.stream(address.family)
        // A restarted server may bind its port while old connections are still in TIME_WAIT.
        try descriptor.set(SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR")
        // socket(7): all listeners must have set this, and must belong to one user.
        if sharesPort { try descriptor.set(SOL_SOCKET, SO_REUSEPORT, 1, "SO_REUSEPORT") }
        // `::` means every address, IPv4 too, whatever the machine's default is.
        if address.family == AF_INET6 { try descriptor.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0, "IPV6_V6ONLY") }
        try descriptor.bind(to: address)
        try descriptor.listen()
        return ListeningSocket(descriptor)
    }

    /// Replaces a socket at the path that no process listens on. Throws EADDRINUSE if a process listens on it, and
    /// ENOTSOCK if it is not a socket.
    private static func open(_ path: String) throws(SystemCallError) -> ListeningSocket {
        guard let address = SocketAddress(path: path) else { throw SystemCallError(call: "bind", code: ENAMETOOLONG) }
        let folder = try SocketFile.lockedFolder(of: path)
        return try withExtendedLifetime(folder) { () throws(SystemCallError) in
            try SocketFile.removeStale(path, address)
            let descriptor = try Descriptor.stream(AF_UNIX)
            try descriptor.bind(to: address)
            let file = SocketFile(at: path)
            do throws(SystemCallError) {
                // Set the mode before the socket listens: the process's umask might let others connect.
                try SocketFile.admitGroup(to: path)
                try descriptor.listen()
                return ListeningSocket(descriptor, file: file)
            } catch {
                file?.remove()
                throw error
            }
        }
    }
}

extension Descriptor {
    /// A new non-blocking stream socket.
    static func stream(_ family: Int32) throws(SystemCallError) -> Descriptor {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return try Descriptor(Glibc.socket(family, kind, 0), of: "socket")
    }

    fileprivate func bind(to address: SocketAddress) throws(SystemCallError) {
        guard address.withPointer({ Glibc.bind(self.number, $0, $1) }) == 0 else {
            throw SystemCallError(call: "bind")
        }
    }

    fileprivate func listen(backlog: Int32 = 4096) throws(SystemCallError) {
        guard Glibc.listen(self.number, backlog) == 0 else { throw SystemCallError(call: "listen") }
    }

    fileprivate func set(_ level: Int32, _ name: Int32, _ value: Int32, _ call: String) throws(SystemCallError) {
        var value = value
        let size = socklen_t(MemoryLayout<Int32>.size)
        guard setsockopt(self.number, level, name, &value, size) == 0 else { throw SystemCallError(call: call) }
    }
}

extension ListenAddress {
    /// Throws what would keep a server from listening there now.
    package func checkIsFree() throws(OperatorError) { _ = try ListeningSocket.open(self, sharesPort: false) }
}
