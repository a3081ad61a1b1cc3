import Base

/// The random name of a process. It is part of the name of each of its sessions with the database.
struct ProcessName: Equatable, Sendable {
    let text: String
    /// Whether the process knows the ring of keys, and says so in the names of its sessions.
    let knowsKeyRing: Bool

    private static let byteCount = 8
    /// Stands before the name. Servers of the version before read only the last word.
    private static let mark = "+keys"

    static func make(knowsKeyRing: Bool = false) -> ProcessName {
        ProcessName(text: Base64URL.encode(RandomBytes.make(Self.byteCount)), knowsKeyRing: knowsKeyRing)
    }

    /// Whether the text may be such a name.
    static func isName(_ text: String) -> Bool { Base64URL.decode(text)?.count == Self.byteCount }

    /// The name of its sessions (`application_name`, at most 63 ASCII characters). `prefix` is what the operator has
    /// chosen.
    func session(after prefix: String) -> String {
        let prefix = String(decoding: prefix.utf8.filter { (0x20...0x7E).contains($0) }.prefix(40), as: UTF8.self)
        return "\(prefix) \(self.knowsKeyRing ? "\(Self.mark) " : "")\(self.text)"
    }

    /// Returns the names of all sessions, in one row each. They are visible to every role. PostgreSQL's own have none.
    static let statement = PostgresStatement(
        """
        SELECT DISTINCT application_name FROM pg_stat_activity
        WHERE datname = current_database() AND application_name <> ''
        """)

    /// Reads a row of `statement`. Nil if it is no session of a process with a name.
    static func name(inSession session: [UInt8]) -> String? {
        let words = session.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        return words.count > 1 ? words.last.map { String(decoding: $0, as: UTF8.self) } : nil
    }

    /// Whether the session is that of a process that does not know the ring of keys.
    static func isStranger(_ session: [UInt8]) -> Bool {
        let words = session.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.count > 1, Self.isName(words[words.count - 1]) else { return false }
        // The first word is what the operator has chosen, so it is no mark.
        return words.count < 3 || words[words.count - 2] != Self.mark
    }
}
