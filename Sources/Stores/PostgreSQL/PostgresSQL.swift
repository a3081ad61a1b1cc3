import Base
import Logins

/// The statements on logins and on the whole store. Each is one transaction. Those of a request are planned once for
/// all values, and the others each time, with their values in the text.
enum PostgresSQL {
    private static let columns = "hour, id, revision, due, is_open, is_over, bytes"

    private static let loading = PostgresQuery(
        "SELECT \(Self.columns) FROM switchback.login WHERE id = $1 AND hour BETWEEN $2 AND $3")

    /// Searches only the partitions of `hours`, which takes a third of the time.
    static func load(_ id: LoginID, in hours: ClosedRange<Int64>) -> PostgresStatement {
        PostgresStatement(
            Self.loading, [.bytes(id.bytes), .integer(hours.lowerBound), .integer(hours.upperBound)])
    }

    private static let loadingAnywhere = PostgresQuery("SELECT \(Self.columns) FROM switchback.load_login($1)")

    static func load(_ id: LoginID) -> PostgresStatement {
        PostgresStatement(Self.loadingAnywhere, [.bytes(id.bytes)])
    }

    private static let insertion = PostgresQuery("SELECT switchback.insert_login($1, $2, $3, $4, $5, $6)")

    /// Returns whether the row was stored.
    static func insert(_ row: SealedLogin, noting note: NoteAddition? = nil) -> PostgresStatement {
        let columns: [PostgresParameter] = [
            .bytes(row.id.bytes), .integer(row.revision), .integer(row.due.milliseconds), .boolean(row.isOpen),
            .boolean(row.isOver), .bytes(row.bytes),
        ]
        guard let note else { return PostgresStatement(Self.insertion, columns) }
        return PostgresStatement(PostgresNotes.insertion, columns + PostgresNotes.parameters(note))
    }

    private static let replacement = PostgresQuery("\(Self.update) RETURNING was_open")

    static let update = """
        UPDATE switchback.login
        SET revision = $3, due = $4, was_open = is_open, is_open = $5, is_over = $6, bytes = $7
        WHERE id = $1 AND revision = $2 AND hour BETWEEN $8 AND $9
        """

    /// Returns whether the row was open before. Searches only the partitions of `hours`.
    static func replace(
        _ row: SealedLogin, revision: Int64, in hours: ClosedRange<Int64>, noting note: NoteAddition? = nil
    ) -> PostgresStatement {
        let columns: [PostgresParameter] = [
            .bytes(row.id.bytes), .integer(revision), .integer(row.revision), .integer(row.due.milliseconds),
            .boolean(row.isOpen), .boolean(row.isOver), .bytes(row.bytes), .integer(hours.lowerBound),
            .integer(hours.upperBound),
        ]
        guard let note else { return PostgresStatement(Self.replacement, columns) }
        return PostgresStatement(PostgresNotes.replacement, columns + PostgresNotes.parameters(note))
    }

    private static let removal = PostgresQuery(
        """
        DELETE FROM switchback.login WHERE id = $1 AND revision = $2 AND hour BETWEEN $3 AND $4
        RETURNING is_open
        """)

    static func remove(_ id: LoginID, revision: Int64, in hours: ClosedRange<Int64>) -> PostgresStatement {
        PostgresStatement(
            Self.removal,
            [.bytes(id.bytes), .integer(revision), .integer(hours.lowerBound), .integer(hours.upperBound)])
    }

    /// Tombstones are not swept, because their partition is dropped.
    static func due(at now: Timestamp, limit: Int) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT \(Self.columns) FROM switchback.login WHERE due <= \(now.milliseconds) AND NOT is_over
            ORDER BY due LIMIT \(max(0, limit))
            """)
    }

    /// A lease is short, so the rows under a lease are among the open rows that are due soon.
    static func leased(until end: Timestamp, limit: Int) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT \(Self.columns) FROM switchback.login WHERE due <= \(end.milliseconds) AND NOT is_over AND is_open
            ORDER BY due LIMIT \(limit)
            """)
    }

    static let openCount = PostgresStatement("SELECT count(*) FROM switchback.login WHERE is_open")

    static let probe = PostgresStatement("SELECT switchback.probe(), switchback.probe_session()")

    static func keepPartitions(at now: Timestamp) -> PostgresStatement {
        PostgresStatement("SELECT made, dropped FROM switchback.keep_partitions($1)", [.integer(now.milliseconds)])
    }

    /// Reads a row of `columns`.
    static func row(_ answer: PostgresRows, _ index: Int) throws(StorageError) -> (login: SealedLogin, hour: Int64) {
        guard let id = LoginID(try answer.bytes(index, 1)) else { throw .corrupt }
        let login = SealedLogin(
            id: id, revision: try answer.integer(index, 2),
            due: Timestamp(milliseconds: try answer.integer(index, 3)), isOpen: try answer.boolean(index, 4),
            isOver: try answer.boolean(index, 5), bytes: try answer.bytes(index, 6))
        return (login, try answer.integer(index, 0))
    }
}
