import Base
import Logging

/// Makes one line of each log event.
package struct LineLogHandler: LogHandler {
    package enum Shape: Sendable {
        case text
        case json
    }

    package var logLevel: Logger.Level {
        get { self.ownLevel ?? self.currentLevel() }
        set { self.ownLevel = newValue }
    }
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    /// The level of this copy of the handler. Nil: the one that applies to all of them now.
    private var ownLevel: Logger.Level?
    private let currentLevel: @Sendable () -> Logger.Level
    private let shape: Shape
    private let now: @Sendable () -> Timestamp
    private let add: @Sendable (_ line: [UInt8], _ rank: LogRank) -> Void

    package init(
        _ shape: Shape, level: Logger.Level = .info, now: @escaping @Sendable () -> Timestamp,
        write: @escaping @Sendable (_ line: [UInt8]) -> Void
    ) {
        self.init(shape, level: { level }, now: now, add: { line, _ in write(line) })
    }

    /// `level` is asked at each event, because it may change while loggers with this handler are in use.
    init(
        _ shape: Shape, level: @escaping @Sendable () -> Logger.Level, now: @escaping @Sendable () -> Timestamp,
        add: @escaping @Sendable (_ line: [UInt8], _ rank: LogRank) -> Void
    ) {
        self.shape = shape
        self.currentLevel = level
        self.now = now
        self.add = add
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
        self.add(line.bytes(self.shape), LogRank(event.level, event: line.event))
    }
}
