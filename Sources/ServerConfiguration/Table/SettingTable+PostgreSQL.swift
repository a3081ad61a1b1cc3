/// The settings of the store `postgresql`.
import Stores

extension Setting {
    /// libpq's: it may hold a password.
    var isConnectionString: Bool { ["postgresql.url", "postgresql.listen_url"].contains(self.pattern.description) }
}

extension SettingTable {
    static let postgresql: [Setting] = [
        Setting(
            "postgresql.url", .text, .optional, secret: true, atStart: true,
            "The database of store postgresql, as libpq writes it, a URL or keywords, with several hosts and sslmode if wanted; from other machines with sslmode=verify-full."
        ),
        Setting(
            "postgresql.password", .text, .optional, secret: true,
            "The role's password, so that it need not stand in the URL; from a file it is read again for each connection."
        ),
        Setting(
            "postgresql.connections", .integer(2...10, .none), .value(10), atStart: true,
            "Connections that one process has at most, the one that listens among them."),
        Setting(
            "postgresql.statement_timeout", .integer(1...60, .seconds), .value(5), atStart: true,
            "Seconds that a statement may take; a connection that owes an answer for longer is closed."),
        Setting(
            "postgresql.wake", .choice(PostgresSettings.Wake.allCases.map(\.rawValue)), .value("notify"), atStart: true,
            "How held polls learn what another process did: notify uses LISTEN and NOTIFY, poll asks several times a second and is for poolers and engines without them."
        ),
        Setting(
            "postgresql.listen_url", .text, .optional, secret: true, atStart: true,
            "A direct connection for LISTEN, with the same password, where url leads to a pooler in transaction mode."),
        Setting(
            "postgresql.migrate", .choice(PostgresSettings.Migrate.allCases.map(\.rawValue)), .value("auto"),
            atStart: true,
            "auto makes or updates the schema at the start, off only checks it: then `switchback migrate` is run by a role that owns it."
        ),
    ]
}
