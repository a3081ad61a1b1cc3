/// The random name of a process. It is part of the name of each of its sessions with the database.
import Base

struct ProcessName: Equatable, Sendable {
    let text: String

    static func make() -> ProcessName { ProcessName(text: Base64URL.encode(RandomBytes.make(8))) }

    /// The name of its sessions (`application_name`, at most 63 ASCII characters). `prefix` is what the operator has
    /// chosen.
    func session(after prefix: String) -> String {
        "\(String(decoding: prefix.utf8.filter { (0x20...0x7E).contains($0) }.prefix(40), as: UTF8.self)) \(self.text)"
    }

    /// Returns the names of all processes that have a session, in one row each. They are visible to every role.
    static let statement = PostgresStatement(
        """
        SELECT DISTINCT application_name FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE '% %'
        """)

    /// Reads a row of `statement`.
    static func name(inSession session: [UInt8]) -> String {
        session.split(separator: UInt8(ascii: " ")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
