import Glibc

/// Reports our state to the service manager that started us (sd_notify(3)), with one datagram for each state.
package struct ServiceManager: Sendable {
    package enum State: Sendable {
        case ready
        /// Lasts until `ready` is sent again.
        case reloading
        case stopping
    }

    /// The path of the manager's socket. Nil if no service manager listens.
    private let path: String?

    package init(path: String?) { self.path = path }

    /// Returns the service manager of this process. It removes the variable, so that child processes do not report for
    /// us.
    package static func take(_ variables: [String: String]) -> ServiceManager {
        unsetenv("NOTIFY_SOCKET")
        return ServiceManager(path: variables["NOTIFY_SOCKET"])
    }

    /// Sends the state. A failure is ignored, because it does us no harm.
    package func tell(_ state: State) {
        guard let path, var address = Self.address(path) else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let text = Array(Self.text(state).utf8)
        // An abstract address is as long as its name. A path in the file system ends with a NUL.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count + (path.hasPrefix("@") ? 0 : 1))
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }

    private static func text(_ state: State) -> String {
        switch state {
        case .ready: return "READY=1"
        case .stopping: return "STOPPING=1"
        case .reloading:
            // The time by which the manager distinguishes this reload from the previous one.
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return "RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)"
        }
    }

    /// Returns the socket address of an absolute path or of an abstract name, whose `@` means a NUL. Nil for any other
    /// path.
    private static func address(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        let bytes = Array(path.utf8)
        guard path.hasPrefix("/") || path.hasPrefix("@"), bytes.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        if path.hasPrefix("@") { address.sun_path.0 = 0 }
        return address
    }
}
