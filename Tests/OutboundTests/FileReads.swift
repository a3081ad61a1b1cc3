import Glibc
import Outbound

/// Counts how often a file is opened (inotify).
final class FileReads: Sendable {
    private let descriptor: Int32

    init(of path: String) throws {
        self.descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard self.descriptor >= 0, inotify_add_watch(self.descriptor, path, UInt32(IN_OPEN)) >= 0 else {
            throw OutboundError.broken("inotify: \(errno)")
        }
    }

    deinit { close(self.descriptor) }

    /// Returns how often the file has been opened since the last call.
    func count() throws -> Int {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let length = read(self.descriptor, &buffer, buffer.count)
        guard length >= 0 else {
            guard errno == EAGAIN else { throw OutboundError.broken("inotify: \(errno)") }
            return 0
        }
        // The watch is on a file, so no event has a name.
        return length / MemoryLayout<inotify_event>.size
    }
}
