/// Where log lines go: standard error, in the shape that suits who reads it.
import Base
import Logging

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

package enum LogOutput {
    /// The server's logger.
    package static func logger(_ log: Configuration.Log) -> Logger {
        Self.logger(level: log.level, format: log.format)
    }

    package static func logger(level: Logger.Level, format: Configuration.Log.Format) -> Logger {
        let shape = Self.shape(format, isTerminal: isatty(STDERR_FILENO) == 1)
        return Logger(label: "switchback") { _ in
            LineLogHandler(shape, level: level, now: WallClock.now, write: { SystemFile.writeAll(STDERR_FILENO, $0) })
        }
    }

    package static func shape(_ format: Configuration.Log.Format, isTerminal: Bool) -> LineLogHandler.Shape {
        switch format {
        case .text: .text
        case .json: .json
        case .auto: isTerminal ? .text : .json
        }
    }
}
