// The settings of the store `postgresql`.

import Stores

extension SettingRow {
    /// Whether it is a connection string of libpq, which may contain a password.
    var isConnectionString: Bool { ["postgresql.url", "postgresql.listen_url"].contains(self.pattern.description) }
}

extension SettingTable {
    static let postgresql: [Setting<SettingValue>] = [
        Setting(
            "postgresql.url", .text, .optional, secret: true, atStart: true,
            "The database of store postgresql, as a libpq URL or as libpq keywords; it may name several hosts and sslmode. Use sslmode=verify-full for a database on another machine."
        ),
        Setting(
            "postgresql.password", .text, .optional, secret: true,
            "The password of the database role, instead of one in url. If it comes from a file, the server reads the file again for each connection."
        ),
        Setting(
            "postgresql.connections", .integer(2...10, .none), .value(10), atStart: true,
            "The most database connections of one process, including the one for LISTEN."),
        Setting(
            "postgresql.statement_timeout", .integer(1...60, .seconds), .value(5), atStart: true,
            "Seconds that a statement may take. The server closes a connection that does not respond in this time."),
        Setting(
            "postgresql.wake", .choice(PostgresSettings.Wake.allCases.map(\.rawValue)), .value("notify"), atStart: true,
            "How long polls learn of changes by other processes: notify uses LISTEN and NOTIFY; poll asks the database several times a second, for poolers and databases without them."
        ),
        Setting(
            "postgresql.listen_url", .text, .optional, secret: true, atStart: true,
            "A direct connection for LISTEN, with the same password. Set it if url leads to a pooler in transaction mode."
        ),
        Setting(
            "postgresql.migrate", .choice(PostgresSettings.Migrate.allCases.map(\.rawValue)), .value("auto"),
            atStart: true,
            "auto creates or updates the schema at the start. off only checks it; then run `switchback migrate` with a role that owns the schema."
        ),
    ]
}
