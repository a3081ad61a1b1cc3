import Logins

/// The statements by which processes notify each other of changes.
enum ChangeStatements {
    static func revisions(_ rows: [WatchedLogins.Known]) -> PostgresStatement {
        let hours = rows.map(\.hour)
        return PostgresStatement(
            Self.reading,
            [.bytesList(rows.map(\.id.bytes)), .integer(hours.min() ?? 0), .integer(hours.max() ?? 0)])
    }

    private static let reading = PostgresQuery(
        "SELECT id, revision FROM switchback.login WHERE id = ANY($1) AND hour BETWEEN $2 AND $3")

    /// The commit does not wait for the disk, because a notification is lost in a crash anyway.
    private static let notifying = PostgresQuery(
        "SELECT pg_notify($1, $2), set_config('synchronous_commit', 'off', true)")

    static func notify(_ text: NotificationText) -> PostgresStatement {
        PostgresStatement(
            Self.notifying, [.text(PostgresListener.channel), .text(text.text)])
    }
}
