/// Writes log lines to standard error, in the chosen shape.
import Base
import Logging

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

package enum LogOutput {
    /// Returns the server's logger.
    package static func logger(level: Logger.Level, shape: LineLogHandler.Shape) -> Logger {
        Logger(label: "switchback") { _ in
            LineLogHandler(shape, level: level, now: WallClock.now, write: { SystemFile.writeAll(STDERR_FILENO, $0) })
        }
    }

    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
