/// A finding of `switchback check --online` about a broker, `link_url` or the store, with what to do about it: one
/// line.
package struct Finding: Equatable, Sendable, CustomStringConvertible {
    package enum Level: String, CaseIterable, Sendable {
        case ok
        /// Logins may work, but the operator should look at it.
        case warning
        /// No logins work, or not all of them.
        case error
    }

    package let level: Level
    /// The broker's name, `link_url` or `store`.
    package let broker: String
    /// The name of a setting, or what was checked.
    package let subject: String
    package let message: String

    /// The message may quote the broker, so characters that could move a terminal's cursor are replaced.
    init(_ level: Level, _ broker: String, _ subject: String, _ message: String) {
        self.level = level
        self.broker = broker
        self.subject = subject
        let printableScalars = message.unicodeScalars.prefix(500).map {
            (0x20...0x7e).contains($0.value) ? Character($0) : "?"
        }
        self.message = String(printableScalars)
    }

    /// The line without its level.
    package var text: String { "\(self.broker): \(self.subject): \(self.message)" }

    package var description: String { "\(self.level.rawValue): \(self.text)" }
}
