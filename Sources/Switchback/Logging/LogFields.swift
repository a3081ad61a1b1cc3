/// The fields of a log line in their order: the known ones first, then others by name.
import Logging

struct LogFields {
    /// What `time`, `level` and `event` are followed by.
    static let order = [
        "request_id", "login", "reference", "app", "provider", "platform", "status", "reason", "duration_ms",
        "broker_error", "trace_id",
    ]
    private static let rank = Dictionary(uniqueKeysWithValues: Self.order.enumerated().map { ($1, $0) })
    /// Names that every line has, and that no metadata may take.
    private static let own: Set<String> = ["time", "level", "event"]

    let list: [(name: String, value: Logger.Metadata.Value)]

    init(_ metadata: Logger.Metadata) {
        self.list = metadata.map { name, value in (Self.own.contains(name) ? "\(name)_" : name, value) }
            .sorted { Self.place($0.0) < Self.place($1.0) }
    }

    private static func place(_ name: String) -> (Int, String) {
        (Self.rank[name] ?? Self.order.count, name)
    }
}
