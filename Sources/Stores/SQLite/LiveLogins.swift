import Base
import Logins
import Synchronization

/// The rows of the logins that are not over, and the tombstones, as they are on the disk. Requests read these and never
/// wait for SQLite.
///
/// Only this process writes the file, so nothing else can change a row. The writer stores each row here after its
/// commit and before anybody is told.
final class LiveLogins: Sendable {
    private struct Contents {
        var rows = LoginTable()
        var tombstones = TombstoneTable()
    }

    private final class Part: Sendable {
        let contents = Mutex(Contents())
    }

    /// The growth of one table must not delay a request noticeably.
    private static let partCount = 256

    private let parts = (0..<LiveLogins.partCount).map { _ in Part() }
    private let counter = PendingLoginCounter()

    /// The number of open rows. All of them are here.
    var open: Int { self.counter.count }

    /// The number of rows that fit without a new allocation.
    var capacity: Int { self.parts.reduce(0) { $0 + $1.contents.withLock { $0.rows.capacity } } }

    /// A login, or its tombstone.
    subscript(id: LoginID) -> SealedLogin? {
        self.part(of: id).contents.withLock { $0.rows[id] ?? $0.tombstones[id]?.row }
    }

    func hasTombstone(of id: LoginID) -> Bool { self.part(of: id).contents.withLock { $0.tombstones.contains(id) } }

    /// Stores a row as it was committed.
    func store(_ row: SealedLogin) {
        let tombstone = PackedTombstone(row)
        let old = self.part(of: row.id).contents.withLock { contents in
            if let tombstone { contents.tombstones.add(tombstone) }
            return row.isOver ? contents.rows.remove(row.id) : contents.rows.store(row)
        }
        self.counter.add((row.isOpen ? 1 : 0) - (old?.isOpen ?? false ? 1 : 0))
    }

    /// Stores a tombstone that was read from the file.
    func store(_ tombstone: PackedTombstone) {
        self.part(of: tombstone.id).contents.withLock { $0.tombstones.add(tombstone) }
    }

    /// With a revision, only a row that has it is removed.
    func remove(_ id: LoginID, ifAt revision: Int64? = nil) {
        let old = self.part(of: id).contents.withLock { contents in
            guard revision == nil || contents.rows[id]?.revision == revision else { return SealedLogin?.none }
            return contents.rows.remove(id)
        }
        self.counter.add(old?.isOpen ?? false ? -1 : 0)
    }

    /// Drops the tombstones that are due. Returns whether there were any.
    func removeTombstones(dueAt now: Timestamp) -> Bool {
        self.parts.reduce(0) { $0 + $1.contents.withLock { $0.tombstones.removeDue(at: now) } } > 0
    }

    /// Forgets all rows: a closed store answers nothing.
    func removeAll() {
        for part in self.parts { part.contents.withLock { $0 = Contents() } }
    }

    private func part(of id: LoginID) -> Part {
        self.parts[Int(truncatingIfNeeded: id.tableHash % UInt64(Self.partCount))]
    }
}
