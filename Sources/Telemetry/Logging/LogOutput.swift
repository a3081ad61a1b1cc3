import Base
import Logging

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Makes loggers that write to standard error or elsewhere.
package enum LogOutput {
    /// Returns the server's logger. Its level is that of the writer from now on, whatever it becomes.
    package static func logger(level: Logger.Level, to writer: LogWriter) -> Logger {
        writer.level = level
        return Logger(label: "switchback") { _ in
            LineLogHandler(
                writer.shape, level: { writer.level }, now: WallClock.now, add: { writer.add($0, $1) })
        }
    }

    /// Returns the server's logger, which passes on every event as a line of text too, whatever its level.
    package static func logger(
        level: Logger.Level, to writer: LogWriter, copy: @escaping @Sendable (_ line: [UInt8]) -> Void
    ) -> Logger {
        let handlers: [any LogHandler] = [
            Self.logger(level: level, to: writer).handler,
            LineLogHandler(.text, level: .debug, now: WallClock.now, write: copy),
        ]
        return Logger(label: "switchback") { _ in MultiplexLogHandler(handlers) }
    }

    /// Returns a logger that passes on every event, as a line of JSON.
    package static func logger(writing write: @escaping @Sendable (_ line: [UInt8]) -> Void) -> Logger {
        Logger(label: "switchback") { _ in LineLogHandler(.json, level: .debug, now: WallClock.now, write: write) }
    }

    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
