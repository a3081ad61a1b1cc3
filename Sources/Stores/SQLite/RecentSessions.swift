import Base
import Sessions
import Synchronization

/// The rows of the sessions that were used last, as they are on the disk. Most requests read these and do not wait for
/// SQLite.
///
/// Sessions live for months, so they are not all in memory, as live logins are. Only this process writes the file, so a
/// row that is here is the one on the disk.
final class RecentSessions: Sendable {
    private struct Contents {
        var rows: RecentValues<SessionID, SealedSession>
        /// Rises with every change of a row.
        var changes = 0
    }

    private final class Part: Sendable {
        let contents: Mutex<Contents>

        init(limit: Int) { self.contents = Mutex(Contents(rows: RecentValues(limit: limit))) }
    }

    /// To forget a generation must not delay a request noticeably.
    private static let partCount = 128

    private let parts: [Part]
    /// The most rows in a generation of a part.
    private let limit: Int

    /// Keeps at most `limit` rows. A row takes about a kilobyte.
    init(limit: Int = 65_536) {
        let limit = max(1, limit / (2 * Self.partCount))
        self.limit = limit
        self.parts = (0..<Self.partCount).map { _ in Part(limit: limit) }
    }

    /// The number of rows.
    var count: Int { self.parts.reduce(0) { count, part in count + part.contents.withLock { $0.rows.count } } }

    func row(_ id: SessionID) -> SealedSession? { self.part(of: id).contents.withLock { $0.rows.use(id) } }

    /// Returns a number for `keep`. Call it before you read a row from the disk.
    func changes(near id: SessionID) -> Int { self.part(of: id).contents.withLock { $0.changes } }

    /// Keeps a row that was read from the disk, unless it may have changed since.
    func keep(_ row: SealedSession, readAfter changes: Int) {
        self.part(of: row.id).contents.withLock { contents in
            if contents.changes == changes { contents.rows.keep(row, for: row.id) }
        }
    }

    /// Stores a row as it was committed.
    func store(_ row: SealedSession) {
        self.part(of: row.id).contents.withLock { contents in
            contents.changes += 1
            contents.rows.keep(row, for: row.id)
        }
    }

    /// With a revision, only a row that has it is removed.
    func remove(_ id: SessionID, ifAt revision: Int64? = nil) {
        self.part(of: id).contents.withLock { contents in
            guard revision == nil || contents.rows[id]?.revision == revision else { return }
            contents.changes += 1
            contents.rows.remove(id)
        }
    }

    /// Forgets all rows: a closed store answers nothing.
    func removeAll() {
        for part in self.parts { part.contents.withLock { $0 = Contents(rows: RecentValues(limit: self.limit)) } }
    }

    private func part(of id: SessionID) -> Part { self.parts[Int(id.bytes.first ?? 0) % Self.partCount] }
}
