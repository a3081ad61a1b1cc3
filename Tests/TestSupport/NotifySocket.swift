import Glibc

/// The datagram socket on which a service manager hears from its services, for tests that play the manager.
package final class NotifySocket: Sendable {
    private let descriptor: Int32
    private let path: String

    /// `path` is a path, or `@name` for an abstract socket.
    package init(path: String) throws {
        self.descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.path = path
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(self.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isAbstract = path.hasPrefix("@")
        if isAbstract { address.sun_path.0 = 0 }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count + (isAbstract ? 0 : 1))
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(self.descriptor, $0, length) == 0 }
        }
        guard isBound else { throw MissingTool(description: "no socket at \(path)") }
    }

    deinit {
        close(self.descriptor)
        unlink(self.path)
    }

    /// Blocks until the next message, and returns nil after a while without one.
    package func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(self.descriptor, &bytes, bytes.count, 0)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
