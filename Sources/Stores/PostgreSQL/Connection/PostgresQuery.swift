/// The text of a statement that runs often. A session plans it once, because planning costs more than the execution.
struct PostgresQuery: Sendable {
    let sql: String
    /// The name of the plan in a session. It is made from the text, so that one name can never mean two texts: an
    /// undeclared pooler might mix the sessions of several servers.
    let name: String

    init(_ sql: String) {
        self.sql = sql
        // FNV-1a
        let hash = sql.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        self.name = "switchback_\(String(hash, radix: 16))"
    }
}
