// The file of a Unix socket: made for one server, replaced when that is dead, removed when it stops.

import EventLoop
import Glibc

struct SocketFile: Sendable {
    /// The server's user and group may connect: a proxy is given the group.
    private static let mode: mode_t = 0o660
    /// How long another server that opens a socket in the folder is waited for.
    private static let patience = (tries: 1000, pause: useconds_t(1000))

    private let path: String
    private let identity: Identity

    /// Which file has the path now.
    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
        let isSocket: Bool

        /// Nil when there is none. A symbolic link is a file of its own.
        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            self.device = status.st_dev
            self.inode = status.st_ino
            self.isSocket = status.st_mode & S_IFMT == S_IFSOCK
        }
    }

    /// A socket that listens at the path. What lies there is replaced if it is a socket that no process listens on.
    /// Throws EADDRINUSE where one does, and ENOTSOCK where it is no socket.
    static func open(_ path: String) throws(EventLoop.Failure) -> (socket: Socket, file: SocketFile?) {
        guard let address = SocketAddress(path: path) else { throw EventLoop.Failure(call: "bind", code: ENAMETOOLONG) }
        let folder = try Self.lockedFolder(of: path)
        defer { close(folder) }
        try Self.removeStale(path, address)
        let socket = try Socket.stream(AF_UNIX)
        do throws(EventLoop.Failure) {
            try socket.bind(to: address)
            let file = Identity(path).map { SocketFile(path: path, identity: $0) }
            do throws(EventLoop.Failure) {
                // Before it listens, so that nobody connects whom the process's umask would have let in.
                guard chmod(path, Self.mode) == 0 else { throw EventLoop.Failure(call: "chmod") }
                try socket.listen()
                return (socket, file)
            } catch {
                file?.remove()
                throw error
            }
        } catch {
            socket.close()
            throw error
        }
    }

    /// Unless another server has put its own there.
    func remove() {
        guard Identity(self.path) == self.identity else { return }
        unlink(self.path)
    }

    /// The folder, locked against another server that starts at the same moment: both could find the same dead socket,
    /// and the second would remove what the first has just put in its place. Closing it gives the lock back. Any user may
    /// hold such a lock, so it is waited for, but not forever.
    private static func lockedFolder(of path: String) throws(EventLoop.Failure) -> Int32 {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        let folder = Glibc.open(end == path.startIndex ? "/" : String(path[..<end]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw EventLoop.Failure(call: "open") }
        for _ in 0..<Self.patience.tries {
            if flock(folder, LOCK_EX | LOCK_NB) == 0 { break }
            usleep(Self.patience.pause)
        }
        return folder
    }

    private static func removeStale(_ path: String, _ address: SocketAddress) throws(EventLoop.Failure) {
        guard let found = Identity(path) else { return }
        guard found.isSocket else { throw EventLoop.Failure(call: "bind", code: ENOTSOCK) }
        let probe = try Socket.stream(AF_UNIX)
        defer { probe.close() }
        let failed = address.withPointer { connect(probe.descriptor, $0, $1) } != 0
        switch failed ? errno : 0 {
        case ECONNREFUSED:
            guard unlink(path) == 0 else { throw EventLoop.Failure(call: "unlink") }
        case ENOENT: break
        case EACCES, EPERM: throw EventLoop.Failure(call: "connect", code: EACCES)
        // Somebody listens, even if there is no room for us (EAGAIN), or if it is for datagrams (EPROTOTYPE).
        default: throw EventLoop.Failure(call: "bind", code: EADDRINUSE)
        }
    }
}
