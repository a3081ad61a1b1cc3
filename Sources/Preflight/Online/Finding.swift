/// One thing that `switchback check --online` found out about a broker, `link_url` or the store, and what to do about it: one line.
package struct Finding: Equatable, Sendable, CustomStringConvertible {
    package enum Level: String, CaseIterable, Sendable {
        case ok
        /// Logins may work; somebody should look.
        case warning
        /// Logins do not work, or not all of them.
        case error
    }

    package let level: Level
    /// The broker's name, `link_url` or `store`.
    package let broker: String
    /// A setting's name, or what was looked at.
    package let subject: String
    package let message: String

    /// The message may quote the broker: what could move a terminal's cursor is not shown.
    init(_ level: Level, _ broker: String, _ subject: String, _ message: String) {
        self.level = level
        self.broker = broker
        self.subject = subject
        let shown = message.unicodeScalars.prefix(500).map { (0x20...0x7e).contains($0.value) ? Character($0) : "?" }
        self.message = String(shown)
    }

    package var description: String { "\(self.level.rawValue): \(self.broker): \(self.subject): \(self.message)" }
}
