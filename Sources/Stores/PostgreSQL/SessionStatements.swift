import Base
import Sessions

/// The statements on sessions. Each is one transaction. Those of a request are planned once for all values, and the
/// others each time, with their values in the text.
enum SessionStatements {
    private static let columns = "id, revision, due, person, key_id, bytes"

    static func load(_ id: SessionID) -> PostgresStatement {
        PostgresStatement(Self.loading, [.bytes(id.bytes)])
    }

    private static let loading = PostgresQuery("SELECT \(Self.columns) FROM switchback.session WHERE id = $1")

    /// Returns no row if the id is taken.
    static func insert(_ row: SealedSession) -> PostgresStatement {
        PostgresStatement(
            Self.insertion,
            [
                .bytes(row.id.bytes), .integer(row.revision), .integer(row.due.milliseconds), .bytes(row.person),
                .bytes(row.keyID), .bytes(row.bytes),
            ])
    }

    private static let insertion = PostgresQuery(
        """
        INSERT INTO switchback.session (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (id) DO NOTHING RETURNING revision
        """)

    /// Returns no row if the stored revision is another one.
    static func replace(_ row: SealedSession, revision: Int64) -> PostgresStatement {
        PostgresStatement(
            Self.replacement,
            [
                .bytes(row.id.bytes), .integer(revision), .integer(row.revision), .integer(row.due.milliseconds),
                .bytes(row.person), .bytes(row.keyID), .bytes(row.bytes),
            ])
    }

    private static let replacement = PostgresQuery(
        """
        UPDATE switchback.session SET revision = $3, due = $4, person = $5, key_id = $6, bytes = $7
        WHERE id = $1 AND revision = $2 RETURNING revision
        """)

    /// Returns no row if the stored revision is another one.
    static func remove(_ id: SessionID, revision: Int64) -> PostgresStatement {
        PostgresStatement(
            Self.removal, [.bytes(id.bytes), .integer(revision)])
    }

    private static let removal = PostgresQuery(
        "DELETE FROM switchback.session WHERE id = $1 AND revision = $2 RETURNING revision")

    static func ofPersons(_ persons: [[UInt8]], after last: SessionID?, limit: Int) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT \(Self.columns) FROM switchback.session WHERE person = ANY ($1) AND id > $2
            ORDER BY id LIMIT \(max(0, limit))
            """,
            [.bytesList(persons), .bytes(last?.bytes ?? [])])
    }

    static func due(at now: Timestamp, limit: Int) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT \(Self.columns) FROM switchback.session WHERE due <= \(now.milliseconds)
            ORDER BY due LIMIT \(max(0, limit))
            """)
    }

    static func sealed(by keyID: [UInt8], limit: Int) -> PostgresStatement {
        let hex = keyID.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return PostgresStatement(
            """
            SELECT \(Self.columns) FROM switchback.session WHERE key_id = '\\x\(hex)' AND person <> ''
            LIMIT \(max(0, limit))
            """)
    }

    static let counts = PostgresStatement("SELECT key_id, count(*) FROM switchback.session GROUP BY key_id")

    /// Reads the rows of `columns`.
    static func rows(_ answer: PostgresRows) throws(StorageError) -> [SealedSession] {
        var rows: [SealedSession] = []
        for index in 0..<answer.count {
            guard let id = SessionID(try answer.bytes(index, 0)) else { throw .corrupt }
            rows.append(
                SealedSession(
                    id: id, revision: try answer.integer(index, 1),
                    due: Timestamp(milliseconds: try answer.integer(index, 2)), person: try answer.bytes(index, 3),
                    keyID: try answer.bytes(index, 4), bytes: try answer.bytes(index, 5)))
        }
        return rows
    }

    /// Returns the rows of `counts`.
    static func counts(_ answer: PostgresRows) throws(StorageError) -> [(keyID: [UInt8], count: Int)] {
        var counts: [(keyID: [UInt8], count: Int)] = []
        for index in 0..<answer.count {
            counts.append((keyID: try answer.bytes(index, 0), count: Int(try answer.integer(index, 1))))
        }
        return counts
    }
}
