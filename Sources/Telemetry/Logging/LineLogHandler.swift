/// Writes each log event as one line with one write(2).
import Base
import Logging

package struct LineLogHandler: LogHandler {
    package enum Shape: Sendable {
        case text
        case json
    }

    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let shape: Shape
    private let now: @Sendable () -> Timestamp
    private let write: @Sendable (_ line: [UInt8]) -> Void

    package init(
        _ shape: Shape, level: Logger.Level = .info, now: @escaping @Sendable () -> Timestamp,
        write: @escaping @Sendable (_ line: [UInt8]) -> Void
    ) {
        self.shape = shape
        self.logLevel = level
        self.now = now
        self.write = write
    }

    package subscript(metadataKey name: String) -> Logger.Metadata.Value? {
        get { self.metadata[name] }
        set { self.metadata[name] = newValue }
    }

    package func log(event: LogEvent) {
        var metadata = self.metadata
        if let provider = self.metadataProvider { metadata.merge(provider.get()) { _, new in new } }
        if let own = event.metadata { metadata.merge(own) { _, new in new } }
        if let error = event.error { metadata["error"] = .string(String(describing: error)) }
        let line = LogLine(time: self.now(), level: event.level, event: event.message.description, metadata: metadata)
        var bytes: [UInt8]
        switch self.shape {
        case .text: bytes = Array(line.text.utf8)
        case .json: bytes = Array(line.json.utf8)
        }
        bytes.append(UInt8(ascii: "\n"))
        self.write(bytes)
    }
}
