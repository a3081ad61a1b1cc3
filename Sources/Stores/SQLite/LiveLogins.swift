/// The rows of the logins that are not over, as they are on the disk. Requests read these and never wait for SQLite.
///
/// Only this process writes the file, so nothing else can change a row. The writer stores each row here after its
/// commit and before anybody is told. A row that is over (a tombstone) is only on the disk: there are many, and hardly
/// anybody asks for one.
import Logins
import Synchronization

final class LiveLogins: Sendable {
    private final class Part: Sendable {
        let rows = Mutex<[LoginID: SealedLogin]>([:])
    }

    /// The growth of one table must not delay a request noticeably.
    private static let partCount = 256

    private let parts = (0..<LiveLogins.partCount).map { _ in Part() }
    private let counter = PendingLoginCounter()

    /// The number of open rows. All of them are here.
    var open: Int { self.counter.count }

    subscript(id: LoginID) -> SealedLogin? { self.part(of: id).rows.withLock { $0[id] } }

    /// Stores a row as it was committed.
    func store(_ row: SealedLogin) {
        let old = self.part(of: row.id).rows.withLock { rows in
            row.isOver ? rows.removeValue(forKey: row.id) : rows.updateValue(row, forKey: row.id)
        }
        self.counter.add((row.isOpen ? 1 : 0) - (old?.isOpen ?? false ? 1 : 0))
    }

    /// With a revision, only a row that has it is removed.
    func remove(_ id: LoginID, ifAt revision: Int64? = nil) {
        let old = self.part(of: id).rows.withLock { rows in
            guard revision == nil || rows[id]?.revision == revision else { return SealedLogin?.none }
            return rows.removeValue(forKey: id)
        }
        self.counter.add(old?.isOpen ?? false ? -1 : 0)
    }

    /// Forgets all rows: a closed store answers nothing.
    func removeAll() {
        for part in self.parts { part.rows.withLock { $0 = [:] } }
    }

    private func part(of id: LoginID) -> Part { self.parts[Int(id.firstTwoBytes) % Self.partCount] }
}
