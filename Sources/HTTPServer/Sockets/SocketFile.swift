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

    /// The file that has the path now; nil when there is none.
    init?(at path: String) {
        guard let identity = Identity(path) else { return nil }
        self.path = path
        self.identity = identity
    }

    static func admitGroup(to path: String) throws(SystemCallError) {
        guard chmod(path, Self.mode) == 0 else { throw SystemCallError(call: "chmod") }
    }

    /// Unless another server has put its own there.
    func remove() {
        guard Identity(self.path) == self.identity else { return }
        unlink(self.path)
    }

    /// The folder, locked against another server that starts at the same moment: both could find the same dead socket,
    /// and the second would remove what the first has just put in its place. Closing it gives the lock back. Any user may
    /// hold such a lock, so it is waited for, but not forever.
    static func lockedFolder(of path: String) throws(SystemCallError) -> Descriptor {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        let name = end == path.startIndex ? "/" : String(path[..<end])
        let folder = try Descriptor(open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), of: "open")
        for _ in 0..<Self.patience.tries {
            if flock(folder.number, LOCK_EX | LOCK_NB) == 0 { break }
            usleep(Self.patience.pause)
        }
        return folder
    }

    /// Removes a socket that no process listens on.
    static func removeStale(_ path: String, _ address: SocketAddress) throws(SystemCallError) {
        guard let found = Identity(path) else { return }
        guard found.isSocket else { throw SystemCallError(call: "bind", code: ENOTSOCK) }
        let probe = try Descriptor.stream(AF_UNIX)
        let failed = address.withPointer { connect(probe.number, $0, $1) } != 0
        switch failed ? errno : 0 {
        case ECONNREFUSED:
            guard unlink(path) == 0 else { throw SystemCallError(call: "unlink") }
        case ENOENT: break
        case EACCES, EPERM: throw SystemCallError(call: "connect", code: EACCES)
        // Somebody listens, even if there is no room for us (EAGAIN), or if it is for datagrams (EPROTOTYPE).
        default: throw SystemCallError(call: "bind", code: EADDRINUSE)
        }
    }
}
