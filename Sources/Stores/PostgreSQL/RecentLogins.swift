import Logins
import Synchronization

/// What this process knows of rows that it has used recently: the hours to search, and the row as it was then.
final class RecentLogins: Sendable {
    struct Entry: Sendable {
        /// One hour, or several if the database chose it.
        let hours: ClosedRange<Int64>
        /// Nil if another process has changed it since.
        var row: SealedLogin?
    }

    /// Two tables: when the young one is full, it replaces the old one.
    private struct Contents {
        var young: [LoginID: Entry] = [:]
        var old: [LoginID: Entry] = [:]

        subscript(id: LoginID) -> Entry? { self.young[id] ?? self.old[id] }
    }

    private let limit: Int
    private let contents = Mutex(Contents())

    /// A row is about half a kilobyte, and a login usually ends before as many others have begun.
    init(limit: Int = 5_000) { self.limit = limit }

    subscript(id: LoginID) -> Entry? { self.contents.withLock { $0[id] } }

    /// Notes a row that was read or written. A tombstone never changes, so nobody needs it.
    func note(_ row: SealedLogin, in hours: ClosedRange<Int64>) {
        self.contents.withLock { contents in
            guard !row.isOver else {
                contents.young[row.id] = nil
                contents.old[row.id] = nil
                return
            }
            // The result of a read may arrive after that of a later write.
            if let recentRow = contents[row.id]?.row, recentRow.revision > row.revision { return }
            contents.young[row.id] = Entry(hours: hours, row: row)
            guard contents.young.count >= self.limit else { return }
            contents.old = contents.young
            contents.young = [:]
        }
    }

    /// Forgets the row, because the stored one is another.
    func forget(_ id: LoginID) {
        self.contents.withLock { contents in
            contents.young[id]?.row = nil
            contents.old[id]?.row = nil
        }
    }
}
