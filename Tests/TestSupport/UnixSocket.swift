import Glibc

/// Unix sockets for tests, in folders with short names, because a path has at most 107 bytes.
package enum UnixSocket {
    /// Creates an empty folder.
    package static func folder() throws -> String {
        var template = Array("/tmp/unix-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw MissingTool(description: "no folder in /tmp") }
        return template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    /// Calls `bind` or `connect`, and returns whether it succeeds.
    package static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32, _ path: String
    ) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// Returns a socket that listens at the path.
    package static func listening(at path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard self.call(bind, descriptor, path), listen(descriptor, 16) == 0 else {
            close(descriptor)
            throw MissingTool(description: "no socket at \(path)")
        }
        return descriptor
    }

    /// Leaves the socket file of a dead server. A program that another test starts has our descriptors until its exec,
    /// so the socket is dead only when no connection succeeds.
    package static func stale(at path: String) throws {
        close(try self.listening(at: path))
        for _ in 0..<10_000 where self.isTaken(path) { usleep(1000) }
    }

    private static func isTaken(_ path: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        return self.call(connect, descriptor, path)
    }
}
