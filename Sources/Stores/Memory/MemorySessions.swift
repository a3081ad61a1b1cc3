import Base
import Sessions
import Synchronization

/// The sessions of the memory store, with what finds them: the person, the key, and a queue of their due times.
final class MemorySessions: Sendable {
    private struct Contents {
        var rows: [SessionID: SealedSession] = [:]
        var persons: [[UInt8]: Set<SessionID>] = [:]
        /// How many rows each key has sealed.
        var counts: [[UInt8]: Int] = [:]
        /// An entry may be stale; the row decides.
        var dueTimes = DueTimeQueue<SessionID>()

        mutating func add(_ row: SealedSession) {
            self.rows[row.id] = row
            self.persons[row.person, default: []].insert(row.id)
            self.counts[row.keyID, default: 0] += 1
        }

        mutating func remove(_ row: SealedSession) {
            self.rows[row.id] = nil
            self.persons[row.person]?.remove(row.id)
            if self.persons[row.person]?.isEmpty ?? false { self.persons[row.person] = nil }
            self.counts[row.keyID, default: 0] -= 1
            if self.counts[row.keyID] == 0 { self.counts[row.keyID] = nil }
        }

        mutating func note(_ row: SealedSession) { self.dueTimes.add(DueTimeQueue.Entry(due: row.due, id: row.id)) }

        mutating func takeDue(at now: Timestamp, limit: Int) -> [SealedSession] {
            var (rows, foundIDs) = ([] as [SealedSession], [] as Set<SessionID>)
            while rows.count < limit, let first = self.dueTimes.first, first.due <= now {
                self.dueTimes.removeFirst()
                guard let row = self.rows[first.id], row.due == first.due, foundIDs.insert(row.id).inserted else {
                    continue
                }
                rows.append(row)
            }
            // The entries stay in the queue until the rows are moved or removed.
            for row in rows { self.note(row) }
            return rows
        }
    }

    private let contents = Mutex(Contents())

    func insert(_ row: SealedSession) -> Bool {
        self.contents.withLock { contents in
            guard contents.rows[row.id] == nil else { return false }
            contents.add(row)
            contents.note(row)
            return true
        }
    }

    func load(_ id: SessionID) -> SealedSession? { self.contents.withLock { $0.rows[id] } }

    func replace(_ row: SealedSession, revision: Int64) -> Bool {
        self.contents.withLock { contents in
            guard let old = contents.rows[row.id], old.revision == revision else { return false }
            contents.remove(old)
            contents.add(row)
            if row.due != old.due { contents.note(row) }
            return true
        }
    }

    func remove(_ id: SessionID, revision: Int64) -> Bool {
        self.contents.withLock { contents in
            guard let old = contents.rows[id], old.revision == revision else { return false }
            contents.remove(old)
            return true
        }
    }

    func ofPersons(_ persons: Set<[UInt8]>, after last: SessionID?, limit: Int) -> [SealedSession] {
        self.contents.withLock { contents in
            let ids = persons.flatMap { contents.persons[$0] ?? [] }.filter { id in last.map { $0 < id } ?? true }
            return ids.sorted().prefix(max(0, limit)).compactMap { contents.rows[$0] }
        }
    }

    func due(at now: Timestamp, limit: Int) -> [SealedSession] {
        self.contents.withLock { $0.takeDue(at: now, limit: limit) }
    }

    func sealed(by keyID: [UInt8], limit: Int) -> [SealedSession] {
        self.contents.withLock { contents in
            // Usually the newest key has sealed all rows, and there is nothing to look for.
            guard contents.counts[keyID] != nil else { return [] }
            var rows: [SealedSession] = []
            for row in contents.rows.values
            where rows.count < limit && row.keyID == keyID && !row.person.isEmpty { rows.append(row) }
            return rows
        }
    }

    func counts() -> [(keyID: [UInt8], count: Int)] {
        self.contents.withLock { contents in contents.counts.map { (keyID: $0.key, count: $0.value) } }
    }
}
