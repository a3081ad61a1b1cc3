import Base
import Logging
import StrictJSON

/// One event as one line, in text or in JSON. No value can begin a second line.
struct LogLine {
    let time: Timestamp
    let level: Logger.Level
    let event: String
    let metadata: Logger.Metadata

    /// Returns the whole line, with its end.
    func bytes(_ shape: LineLogHandler.Shape) -> [UInt8] {
        switch shape {
        case .text: Array("\(self.text)\n".utf8)
        case .json: Array("\(self.json)\n".utf8)
        }
    }

    /// `2026-11-20T12:34:56.789Z info login_ended login=… reason="…"`
    var text: String {
        var line = "\(self.time.rfc3339) \(self.level.rawValue) \(Self.escaped(self.event))"
        for (name, value) in LogFields(self.metadata).list {
            let text = value.description
            line += " \(Self.escaped(name))=" + (Self.isPlain(text) ? text : Self.quoted(text))
        }
        return line
    }

    /// `{"time":"…","level":"info","event":"login_ended",…}`
    var json: String {
        var object: JSON.Object = [
            "time": .string(self.time.rfc3339), "level": .string(self.level.rawValue), "event": .string(self.event),
        ]
        for (name, value) in LogFields(self.metadata).list { object[name] = Self.json(value) }
        return Self.escaped(String(decoding: JSON.object(object).encoded(), as: UTF8.self))
    }

    /// Numbers stay numbers, so that a log reader can add them up.
    private static func json(_ value: Logger.Metadata.Value) -> JSON {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let number as Int): .integer(number)
        case .stringConvertible(let number as Double) where number.isFinite: .number(number)
        case .stringConvertible(let truth as Bool): .bool(truth)
        case .stringConvertible(let other): .string(other.description)
        case .array(let items): .array(items.map(Self.json))
        case .dictionary(let members):
            .object(members.sorted { $0.key < $1.key }.reduce(into: [:]) { $0[$1.key] = Self.json($1.value) })
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x3D && $0 != 0x5C }
    }

    private static func quoted(_ text: String) -> String {
        let inner = text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "\"\(Self.escaped(inner))\""
    }

    /// Escapes control characters of every kind, including those that JSON permits and terminals obey, and those that
    /// change the direction of writing.
    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: Self.isUnsafe) else { return text }
        return text.unicodeScalars.map { Self.isUnsafe($0) ? Self.code($0) : String($0) }.joined()
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func code(_ scalar: Unicode.Scalar) -> String {
        scalar.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}

/// The fields of a log line in their order: the known ones first, then others by name.
struct LogFields {
    /// The fields after `time`, `level` and `event`.
    static let order = [
        "request_id", "login", "reference", "app", "provider", "platform", "status", "reason", "duration_ms",
        "broker_error", "broker_request_id", "trace_id",
    ]
    private static let rank = Dictionary(uniqueKeysWithValues: Self.order.enumerated().map { ($1, $0) })
    /// Names that every line has, so metadata may not use them.
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
