import Base
import Logins
import Synchronization

/// What this process knows of rows that it has used recently: the hours to search, and the row as it was then. Other
/// processes write too, so the stored row may be another.
final class RecentLogins: Sendable {
    struct Entry: Sendable {
        /// One hour, or several if the database chose it.
        let hours: ClosedRange<Int64>
        /// Nil if another process has changed it since.
        let row: SealedLogin?
    }

    private let entries: Mutex<RecentValues<LoginID, Entry>>

    /// A row is about half a kilobyte, and a login usually ends before as many others have begun.
    init(limit: Int = 5_000) { self.entries = Mutex(RecentValues(limit: limit)) }

    subscript(id: LoginID) -> Entry? { self.entries.withLock { $0[id] } }

    /// Notes a row that was read or written. A tombstone never changes, so nobody needs it.
    func note(_ row: SealedLogin, in hours: ClosedRange<Int64>) {
        self.entries.withLock { entries in
            guard !row.isOver else {
                entries.remove(row.id)
                return
            }
            // The result of a read may arrive after that of a later write.
            if let recentRow = entries[row.id]?.row, recentRow.revision > row.revision { return }
            entries.keep(Entry(hours: hours, row: row), for: row.id)
        }
    }

    /// Forgets the row, because the stored one is another.
    func forget(_ id: LoginID) {
        self.entries.withLock { entries in
            if let hours = entries[id]?.hours { entries.keep(Entry(hours: hours, row: nil), for: id) }
        }
    }
}
