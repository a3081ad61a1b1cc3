import Foundation
import StrictJSON
import Synchronization
import TestSupport

/// A named pipe for the output of a program, which is read when the test says so.
package final class LogPipe: Sendable {
    private let descriptor: Int32
    private let received = Mutex<[UInt8]>([])

    /// `capacity` is how many bytes it holds at most, at least a page.
    package init(_ path: String, capacity: Int32? = nil) throws {
        guard mkfifo(path, 0o600) == 0 else { throw MissingTool(description: "mkfifo: \(errno)") }
        self.descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard self.descriptor >= 0 else { throw MissingTool(description: "open: \(errno)") }
        if let capacity {
            // fcntl(2): F_SETPIPE_SZ, which Glibc does not import.
            guard fcntl(self.descriptor, 1031, capacity) >= 0 else { throw MissingTool(description: "fcntl: \(errno)") }
        }
    }

    deinit { close(self.descriptor) }

    /// Reads what is there now.
    package func read() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(self.descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            self.received.withLock { $0 += buffer.prefix(count) }
        }
    }

    /// What was read, as it came.
    package var text: String { String(decoding: self.received.withLock { $0 }, as: UTF8.self) }

    /// The whole lines that were read.
    package var lines: [JSON] {
        let text = self.received.withLock { $0 }
        return text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .compactMap { try? JSON(parsing: Array($0)) }
    }
}
