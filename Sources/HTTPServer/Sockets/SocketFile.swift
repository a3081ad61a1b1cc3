import EventLoop
import Glibc

/// The file of a Unix socket: it is created for one server, replaced when that is dead, and removed when it stops.
struct SocketFile: Sendable {
    /// The server's user and group may connect. Give a proxy the group.
    private static let mode: mode_t = 0o660
    /// How long we wait for another server that opens a socket in the folder: 1000 times 1000 microseconds.
    private static let lockRetries = (tries: 1000, pause: useconds_t(1000))

    private let path: String
    private let identity: Identity

    /// Identifies the file that has the path now.
    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
        let isSocket: Bool

        /// Returns nil when there is no file. Does not follow a symbolic link.
        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            self.device = status.st_dev
            self.inode = status.st_ino
            self.isSocket = status.st_mode & S_IFMT == S_IFSOCK
        }
    }

    /// Takes the file that has the path now; nil when there is none.
    init?(at path: String) {
        guard let identity = Identity(path) else { return nil }
        self.path = path
        self.identity = identity
    }

    static func admitGroup(to path: String) throws(SystemCallError) {
        guard chmod(path, Self.mode) == 0 else { throw SystemCallError(call: "chmod") }
    }

    /// Removes the file, unless another server has put its own there.
    func remove() {
        guard Identity(self.path) == self.identity else { return }
        unlink(self.path)
    }

    /// Opens and locks the folder against another server that starts at the same time. Both could find the same dead
    /// socket, and the second would remove the new socket of the first. Closing the descriptor releases the lock. Any
    /// user may take such a lock, so we do not wait for it forever.
    static func lockedFolder(of path: String) throws(SystemCallError) -> Descriptor {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        let name = end == path.startIndex ? "/" : String(path[..<end])
        let folder = try Descriptor(open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), of: "open")
        for _ in 0..<Self.lockRetries.tries {
            if flock(folder.number, LOCK_EX | LOCK_NB) == 0 { break }
            usleep(Self.lockRetries.pause)
        }
        return folder
    }

    /// Removes a socket that no process listens on.
    static func removeStale(_ path: String, _ address: SocketAddress) throws(SystemCallError) {
        guard let existingFile = Identity(path) else { return }
        guard existingFile.isSocket else { throw SystemCallError(call: "bind", code: ENOTSOCK) }
        let probe = try Descriptor.stream(AF_UNIX)
        let hasFailed = address.withPointer { connect(probe.number, $0, $1) } != 0
        switch hasFailed ? errno : 0 {
        case ECONNREFUSED:
            guard unlink(path) == 0 else { throw SystemCallError(call: "unlink") }
        case ENOENT: break
        case EACCES, EPERM: throw SystemCallError(call: "connect", code: EACCES)
        // A process listens, even if there is no room for us (EAGAIN) or if the socket is for datagrams (EPROTOTYPE).
        default: throw SystemCallError(call: "bind", code: EADDRINUSE)
        }
    }
}
