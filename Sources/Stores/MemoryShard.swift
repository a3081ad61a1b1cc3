/// One part of the memory store: a table of rows behind a lock, and a calendar of when they fall due.
import JOSE
import Logins
import Synchronization

final class MemoryShard: Sendable {
    private struct Contents {
        var rows: [LoginID: SealedLogin] = [:]
        /// Ids by the second in which they fall due. An entry may be stale; the row decides.
        var calendar: [Int: [LoginID]] = [:]
        /// No second before this one has an entry.
        var earliest: Int?

        mutating func note(_ row: SealedLogin) {
            // Rounded up: when its second has come, so has the row's time.
            let second = row.due.seconds + 1
            self.calendar[second, default: []].append(row.id)
            self.earliest = min(self.earliest ?? second, second)
        }

        /// A table never gets smaller by itself. Moving what is left takes a fraction of a millisecond.
        mutating func shrink() {
            guard self.rows.capacity > Self.smallest, self.rows.count < self.rows.capacity / 8 else { return }
            self.rows = Dictionary(uniqueKeysWithValues: self.rows.map { ($0.key, $0.value) })
        }

        private static let smallest = 1024
    }

    private let contents = Mutex(Contents())
    private let open: OpenCounter

    /// Rows that it has room for.
    var capacity: Int { self.contents.withLock { $0.rows.capacity } }

    init(open: OpenCounter) { self.open = open }

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

    /// The rows that are due stay in the calendar until somebody has moved or removed them.
    func due(at now: Timestamp, limit: Int) -> [SealedLogin] {
        self.contents.withLock { contents in
            guard let first = contents.earliest, first <= now.seconds else { return [] }
            var rows: [SealedLogin] = []
            var earliest = now.seconds
            for second in stride(from: first, through: now.seconds, by: 1) where rows.count < limit {
                guard let ids = contents.calendar.removeValue(forKey: second) else { continue }
                let current = ids.filter { contents.rows[$0].map { $0.due.seconds + 1 == second } ?? false }
                guard !current.isEmpty else { continue }
                contents.calendar[second] = current
                earliest = min(earliest, second)
                rows += current.prefix(limit - rows.count).compactMap { contents.rows[$0] }
            }
            contents.earliest = earliest
            return rows
        }
    }
}
