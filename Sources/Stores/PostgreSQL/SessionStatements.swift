/// The statements on sessions. Each is one transaction, is unnamed and leaves nothing in its session with the database.
import Base
import Sessions

enum SessionStatements {
    private static let columns = "id, revision, due, person, key_id, bytes"

    static func load(_ id: SessionID) -> PostgresStatement {
        PostgresStatement("SELECT \(Self.columns) FROM switchback.session WHERE id = $1", [.bytes(id.bytes)])
    }

    /// Returns no row if the id is taken.
    static func insert(_ row: SealedSession) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO switchback.session (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (id) DO NOTHING RETURNING revision
            """,
            [
                .bytes(row.id.bytes), .integer(row.revision), .integer(row.due.milliseconds), .bytes(row.person),
                .bytes(row.keyID), .bytes(row.bytes),
            ])
    }

    /// Returns no row if the stored revision is another one.
    static func replace(_ row: SealedSession, revision: Int64) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE switchback.session SET revision = $3, due = $4, person = $5, key_id = $6, bytes = $7
            WHERE id = $1 AND revision = $2 RETURNING revision
            """,
            [
                .bytes(row.id.bytes), .integer(revision), .integer(row.revision), .integer(row.due.milliseconds),
                .bytes(row.person), .bytes(row.keyID), .bytes(row.bytes),
            ])
    }

    /// Returns no row if the stored revision is another one.
    static func remove(_ id: SessionID, revision: Int64) -> PostgresStatement {
        PostgresStatement(
            "DELETE FROM switchback.session WHERE id = $1 AND revision = $2 RETURNING revision",
            [.bytes(id.bytes), .integer(revision)])
    }

    static func ofPersons(_ persons: [[UInt8]], after last: SessionID?, limit: Int) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT \(Self.columns) FROM switchback.session WHERE person = ANY ($1) AND id > $2 ORDER BY id LIMIT $3
            """,
            [.bytesList(persons), .bytes(last?.bytes ?? []), Self.limit(limit)])
    }

    static func due(at now: Timestamp, limit: Int) -> PostgresStatement {
        PostgresStatement(
            "SELECT \(Self.columns) FROM switchback.session WHERE due <= $1 ORDER BY due LIMIT $2",
            [.integer(now.milliseconds), Self.limit(limit)])
    }

    static func sealed(by keyID: [UInt8], limit: Int) -> PostgresStatement {
        PostgresStatement(
            "SELECT \(Self.columns) FROM switchback.session WHERE key_id = $1 LIMIT $2",
            [.bytes(keyID), Self.limit(limit)])
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

    private static func limit(_ limit: Int) -> PostgresParameter { .integer(Int64(max(0, limit))) }
}
