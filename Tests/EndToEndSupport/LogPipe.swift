import Foundation
import StrictJSON
import Synchronization
import TestSupport

/// A named pipe for the output of a program, which is read when the test says so.
package final class LogPipe: Sendable {
    private let descriptor: Int32
    private let received = Mutex<[UInt8]>([])

    package init(_ path: String) throws {
        guard mkfifo(path, 0o600) == 0 else { throw MissingTool(description: "mkfifo: \(errno)") }
        self.descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard self.descriptor >= 0 else { throw MissingTool(description: "open: \(errno)") }
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

    /// The whole lines that were read.
    package var lines: [JSON] {
        let text = self.received.withLock { $0 }
        return text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .compactMap { try? JSON(parsing: Array($0)) }
    }
}
