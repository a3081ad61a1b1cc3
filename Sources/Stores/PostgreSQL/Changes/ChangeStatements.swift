/// The statements by which processes notify each other of changes.
import Logins

enum ChangeStatements {
    /// Marks the rows that still have the known revision, and returns their ids. It skips rows that a writer has
    /// locked, because they are about to change. A mark lost in a power cut does no harm, so the commit does not wait
    /// for the disk.
    static func mark(_ rows: [WatchedLogins.Known]) -> PostgresStatement {
        let hours = rows.map(\.hour)
        return PostgresStatement(
            Self.marking,
            [
                .bytesList(rows.map(\.id.bytes)), .integerList(rows.map(\.revision)), .integer(hours.min() ?? 0),
                .integer(hours.max() ?? 0),
            ])
    }

    private static let marking = PostgresQuery(
        """
        WITH held AS MATERIALIZED (
            SELECT l.id, l.hour, l.revision, l.awaited
            FROM unnest($1, $2) AS known (id, revision)
            JOIN switchback.login AS l ON l.id = known.id AND l.revision = known.revision
            WHERE l.hour BETWEEN $3 AND $4
            FOR NO KEY UPDATE OF l SKIP LOCKED
        ), marked AS (
            UPDATE switchback.login AS l SET awaited = l.revision FROM held
            WHERE l.id = held.id AND l.hour = held.hour AND l.hour BETWEEN $3 AND $4
                AND held.awaited IS DISTINCT FROM held.revision
        )
        SELECT held.id FROM held, set_config('synchronous_commit', 'off', true)
        """)

    static func revisions(_ rows: [WatchedLogins.Known]) -> PostgresStatement {
        let hours = rows.map(\.hour)
        return PostgresStatement(
            Self.reading,
            [.bytesList(rows.map(\.id.bytes)), .integer(hours.min() ?? 0), .integer(hours.max() ?? 0)])
    }

    private static let reading = PostgresQuery(
        "SELECT id, revision FROM switchback.login WHERE id = ANY($1) AND hour BETWEEN $2 AND $3")

    private static let notifying = PostgresQuery(
        "SELECT pg_notify($1, $2), set_config('synchronous_commit', 'off', true)")

    static func notify(_ text: NotificationText) -> PostgresStatement {
        PostgresStatement(
            Self.notifying, [.text(PostgresListener.channel), .text(text.text)])
    }
}
