/// One part of the memory store: a table of rows behind a lock, and a calendar of their due times.
import Base
import Logins
import Synchronization

final class MemoryShard: Sendable {
    private struct Contents {
        private static let smallest = 64

        var rows: [LoginID: SealedLogin] = [:]
        /// An entry may be stale; the row decides.
        var dueTimes = DueTimeQueue<LoginID>()

        mutating func note(_ row: SealedLogin) { self.dueTimes.add(DueTimeQueue.Entry(due: row.due, id: row.id)) }

        /// Frees memory, because a table never shrinks on its own.
        mutating func shrink() {
            guard self.rows.capacity > Self.smallest, self.rows.count < self.rows.capacity / 8 else { return }
            self.rows = Dictionary(uniqueKeysWithValues: self.rows.map { ($0.key, $0.value) })
        }

        /// Returns nil after `maxStale` stale entries, which it has removed. Other threads then get the lock before it
        /// continues.
        mutating func takeDue(at now: Timestamp, limit: Int) -> [SealedLogin]? {
            var (rows, stale) = ([] as [SealedLogin], 0)
            // The entries stay in the calendar until the rows are moved or removed.
            defer { for row in rows { self.note(row) } }
            while rows.count < limit, let first = self.dueTimes.first, first.due <= now {
                guard stale < MemoryShard.maxStale else { return nil }
                self.dueTimes.removeFirst()
                if let row = self.rows[first.id], row.due == first.due { rows.append(row) } else { stale += 1 }
            }
            return rows
        }
    }

    /// How many entries are dropped while the lock is held, which takes some tens of microseconds.
    private static let maxStale = 256

    private let contents = Mutex(Contents())
    private let open: PendingLoginCounter

    /// The number of rows that fit without a new allocation.
    var capacity: Int { self.contents.withLock { $0.rows.capacity } }

    init(open: PendingLoginCounter) { self.open = open }

    func insert(_ row: SealedLogin) -> Bool {
        self.contents.withLock { contents in
            guard contents.rows[row.id] == nil else { return false }
            contents.rows[row.id] = row
            self.open.add(row.isOpen ? 1 : 0)
            contents.note(row)
            return true
        }
    }

    func load(_ id: LoginID) -> SealedLogin? {
        self.contents.withLock { $0.rows[id] }
    }

    func replace(_ row: SealedLogin, revision: Int64) -> Bool {
        self.contents.withLock { contents in
            guard let old = contents.rows[row.id], old.revision == revision else { return false }
            contents.rows[row.id] = row
            self.open.add((row.isOpen ? 1 : 0) - (old.isOpen ? 1 : 0))
            if row.due != old.due { contents.note(row) }
            return true
        }
    }

    func remove(_ id: LoginID, revision: Int64) -> Bool {
        self.contents.withLock { contents in
            guard let old = contents.rows[id], old.revision == revision else { return false }
            contents.rows[id] = nil
            self.open.add(old.isOpen ? -1 : 0)
            contents.shrink()
            return true
        }
    }

    func due(at now: Timestamp, limit: Int) -> [SealedLogin] {
        while true {
            if let rows = self.contents.withLock({ $0.takeDue(at: now, limit: limit) }) { return rows }
        }
    }
}
