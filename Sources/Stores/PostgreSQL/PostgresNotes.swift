import Base
import Logins

/// The statements on notes. A note is written in the statement that writes its login, so it costs no statement of its own.
enum PostgresNotes {
    /// The most notes that one statement removes.
    private static let batchSize = 10_000

    /// Returns whether the row was stored. The last four parameters are those of `parameters`.
    static let insertion = PostgresQuery(
        """
        SELECT CASE WHEN switchback.insert_login($1, $2, $3, $4, $5, $6)
            THEN switchback.add_note($1, $7, $8, $9, $10) ELSE false END
        """)

    /// Returns whether the row was open before. The last four parameters are those of `parameters`.
    static let replacement = PostgresQuery(
        "\(PostgresSQL.update) RETURNING was_open, switchback.add_note($1, $10, $11, $12, $13)")

    static func parameters(_ note: NoteAddition) -> [PostgresParameter] {
        [
            .text(note.reference), .bytes(note.bytes), .integer(Int64(note.limit)),
            .integer(note.keepUntil.milliseconds),
        ]
    }

    static func load(ofReference reference: String) -> PostgresStatement {
        PostgresStatement("SELECT id, bytes FROM switchback.load_notes($1)", [.text(reference)])
    }

    /// Reads the response to `load`.
    static func notes(_ answer: PostgresRows) throws(StorageError) -> [StoredNote] {
        var notes: [StoredNote] = []
        for index in 0..<answer.count {
            guard let id = LoginID(try answer.bytes(index, 0)) else { throw .corrupt }
            notes.append(StoredNote(id: id, bytes: try answer.bytes(index, 1)))
        }
        return notes
    }

    /// Returns whether there may be more of them.
    static func removeDue(at now: Timestamp) -> PostgresStatement {
        PostgresStatement(
            "SELECT switchback.remove_notes($1, $2)",
            [.integer(now.milliseconds), .integer(Int64(Self.batchSize))])
    }
}
