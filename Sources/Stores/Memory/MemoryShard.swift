import Base
import Logins
import Synchronization

/// One part of the memory store: a table of rows behind a lock, and a queue of their due times.
final class MemoryShard: Sendable {
    private struct Contents {
        var rows = LoginTable()
        /// An entry may be stale; the row decides.
        var dueTimes = DueTimeQueue<LoginID>()
        var tombstones = TombstoneTable()
        var notes = NoteTable()

        mutating func note(_ row: SealedLogin) { self.dueTimes.add(DueTimeQueue.Entry(due: row.due, id: row.id)) }

        /// Returns nil after `maxStale` stale entries, which it has removed. Other threads then get the lock before it
        /// continues.
        mutating func takeDue(at now: Timestamp, limit: Int) -> [SealedLogin]? {
            var (rows, staleCount) = ([] as [SealedLogin], 0)
            // The entries stay in the queue until the rows are moved or removed.
            defer { for row in rows { self.note(row) } }
            while rows.count < limit, let first = self.dueTimes.first, first.due <= now {
                guard staleCount < MemoryShard.maxStale else { return nil }
                self.dueTimes.removeFirst()
                if let row = self.rows[first.id], row.due == first.due { rows.append(row) } else { staleCount += 1 }
            }
            return rows
        }
    }

    /// How many entries are dropped while the lock is held, which takes some tens of microseconds.
    private static let maxStale = 256

    private let contents = Mutex(Contents())
    private let open: PendingLoginCounter

    /// The bytes that the tombstones take.
    var tombstoneByteCount: Int { self.contents.withLock { $0.tombstones.byteCount } }

    /// The number of rows that fit without a new allocation.
    var capacity: Int { self.contents.withLock { $0.rows.capacity } }

    init(open: PendingLoginCounter) { self.open = open }

    func insert(_ row: SealedLogin, noting note: NoteAddition? = nil) -> Bool {
        self.contents.withLock { contents in
            guard !contents.rows.contains(row.id), !contents.tombstones.contains(row.id) else { return false }
            contents.rows.store(row)
            if let note { contents.notes.add(note, to: row.id) }
            self.open.add(row.isOpen ? 1 : 0)
            contents.note(row)
            return true
        }
    }

    func load(_ id: LoginID) -> SealedLogin? {
        self.contents.withLock { $0.rows[id] ?? $0.tombstones[id]?.row }
    }

    func replace(_ row: SealedLogin, revision: Int64, noting note: NoteAddition? = nil) -> Bool {
        self.contents.withLock { contents in
            guard let old = contents.rows[row.id], old.revision == revision else { return false }
            if let note { contents.notes.add(note, to: row.id) }
            if let tombstone = PackedTombstone(row) {
                contents.rows.remove(old.id)
                contents.tombstones.add(tombstone)
            } else {
                contents.rows.store(row)
                if row.due != old.due { contents.note(row) }
            }
            self.open.add((row.isOpen ? 1 : 0) - (old.isOpen ? 1 : 0))
            return true
        }
    }

    func notes(ofReference reference: String) -> [StoredNote] {
        self.contents.withLock { $0.notes.notes(ofReference: reference) }
    }

    func remove(_ id: LoginID, revision: Int64) -> Bool {
        self.contents.withLock { contents in
            guard let old = contents.rows[id], old.revision == revision else { return false }
            contents.rows.remove(id)
            self.open.add(old.isOpen ? -1 : 0)
            return true
        }
    }

    /// Also drops the tombstones and the notes that are due.
    func due(at now: Timestamp, limit: Int) -> [SealedLogin] {
        self.contents.withLock { contents in
            _ = contents.tombstones.removeDue(at: now)
            contents.notes.removeDue(at: now)
        }
        while true {
            if let rows = self.contents.withLock({ $0.takeDue(at: now, limit: limit) }) { return rows }
        }
    }
}
