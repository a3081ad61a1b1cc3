import Base
import Stores

/// The settings of the store `postgresql`. The store has their defaults.
package final class PostgreSQLSettings: SettingGroup {
    private static let usual = PostgresSettings(url: Secret(""))

    package let url = Setting<String?>(
        "postgresql.url", optional: .text, secret: true, atStart: true,
        "The database of store postgresql, as a libpq URL or as libpq keywords; it may name several hosts and sslmode. Use sslmode=verify-full for a database on another machine."
    )
    package let password = Setting<String?>(
        "postgresql.password", optional: .text, secret: true,
        "The password of the database role, instead of one in url. If it comes from a file, the server reads the file again for each connection."
    )
    package let connections = Setting<Int>(
        "postgresql.connections", .integer(2...10), default: PostgreSQLSettings.usual.connections, atStart: true,
        "The most database connections of one process, including the one for LISTEN.")
    package let statementTimeout = Setting<Duration>(
        "postgresql.statement_timeout", .seconds(1...60), default: PostgreSQLSettings.usual.statementTimeout,
        atStart: true,
        "Seconds that a statement may take. The server closes a connection that does not respond in this time.")
    package let wake = Setting<PostgresSettings.Wake>(
        "postgresql.wake", .choice, default: PostgreSQLSettings.usual.wake, atStart: true,
        "How long polls learn of changes by other processes: notify uses LISTEN and NOTIFY; poll asks the database several times a second, for poolers and databases without them."
    )
    package let listenURL = Setting<String?>(
        "postgresql.listen_url", optional: .text, secret: true, atStart: true,
        "A direct connection for LISTEN, with the same password. Set it if url leads to a pooler in transaction mode.")
    package let migrate = Setting<PostgresSettings.Migrate>(
        "postgresql.migrate", .choice, default: PostgreSQLSettings.usual.migrate, atStart: true,
        "auto creates or updates the schema at the start. off only checks it; then run `switchback migrate` with a role that owns the schema."
    )

    package static let declared = PostgreSQLSettings()
}

extension SettingRow {
    /// Whether it is a connection string of libpq, which may contain a password.
    var isConnectionString: Bool { ["postgresql.url", "postgresql.listen_url"].contains(self.pattern.description) }
}
