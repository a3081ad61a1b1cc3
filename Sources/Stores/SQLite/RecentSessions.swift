import Sessions
import Synchronization

/// The rows of the sessions that were used last, as they are on the disk. Most requests read these and do not wait for
/// SQLite.
///
/// Sessions live for months, so they are not all in memory, as live logins are. Each part has a younger and an older
/// generation. A row that is used moves to the younger one. When that is full, it becomes the older one, and the rows
/// that were older are forgotten.
final class RecentSessions: Sendable {
    private struct Contents {
        var younger: [SessionID: SealedSession] = [:]
        var older: [SessionID: SealedSession] = [:]
        /// Rises with every change of a row.
        var changes = 0

        mutating func keep(_ row: SealedSession, limit: Int) {
            self.older[row.id] = nil
            if self.younger.count >= limit {
                self.older = self.younger
                self.younger = [:]
            }
            self.younger[row.id] = row
        }
    }

    private final class Part: Sendable {
        let contents = Mutex(Contents())
    }

    /// To forget a generation must not delay a request noticeably.
    private static let partCount = 128

    private let parts = (0..<RecentSessions.partCount).map { _ in Part() }
    /// The most rows in a generation of a part.
    private let limit: Int

    /// Keeps at most `limit` rows. A row takes about a kilobyte.
    init(limit: Int = 65_536) { self.limit = max(1, limit / (2 * Self.partCount)) }

    /// The number of rows.
    var count: Int {
        self.parts.reduce(0) { count, part in count + part.contents.withLock { $0.younger.count + $0.older.count } }
    }

    func row(_ id: SessionID) -> SealedSession? {
        self.part(of: id).contents.withLock { contents in
            if let row = contents.younger[id] { return row }
            guard let row = contents.older[id] else { return nil }
            contents.keep(row, limit: self.limit)
            return row
        }
    }

    /// Returns a number for `keep`. Call it before you read a row from the disk.
    func changes(near id: SessionID) -> Int { self.part(of: id).contents.withLock { $0.changes } }

    /// Keeps a row that was read from the disk, unless it may have changed since.
    func keep(_ row: SealedSession, readAfter changes: Int) {
        self.part(of: row.id).contents.withLock { contents in
            if contents.changes == changes { contents.keep(row, limit: self.limit) }
        }
    }

    /// Stores a row as it was committed.
    func store(_ row: SealedSession) {
        self.part(of: row.id).contents.withLock { contents in
            contents.changes += 1
            contents.keep(row, limit: self.limit)
        }
    }

    /// With a revision, only a row that has it is removed.
    func remove(_ id: SessionID, ifAt revision: Int64? = nil) {
        self.part(of: id).contents.withLock { contents in
            let recentRow = contents.younger[id] ?? contents.older[id]
            guard revision == nil || recentRow?.revision == revision else { return }
            contents.changes += 1
            contents.younger[id] = nil
            contents.older[id] = nil
        }
    }

    /// Forgets all rows: a closed store answers nothing.
    func removeAll() {
        for part in self.parts { part.contents.withLock { $0 = Contents() } }
    }

    private func part(of id: SessionID) -> Part { self.parts[Int(id.bytes.first ?? 0) % Self.partCount] }
}
