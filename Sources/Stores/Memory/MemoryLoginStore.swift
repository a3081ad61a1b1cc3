import Base
import KeyRing
import Logins
import Synchronization

/// The store of logins and sessions in the memory of this process, for tests, sandboxes and demos. Nothing survives the
/// process.
package final class MemoryLoginStore: LoginStore {
    /// There are enough parts that the growth of one table never delays a request noticeably: with a million rows it
    /// takes a twentieth of a millisecond.
    private let shards: [MemoryShard]
    private let counter = PendingLoginCounter()
    let sessions = MemorySessions()
    let keyRing = Mutex<StoredKeyRing?>(nil)
    /// The part that `due` read last.
    private let turn = Atomic<Int>(0)

    package init(shards: Int = 1024) {
        let open = self.counter
        self.shards = (0..<max(1, shards)).map { _ in MemoryShard(open: open) }
    }

    /// The number of open rows.
    package var open: Int { self.counter.count }

    nonisolated(nonsending) package func insert(
        _ row: SealedLogin, noting note: NoteAddition?
    ) async throws(StoreError) -> Bool {
        self.shard(of: row.id).insert(row, noting: note)
    }

    nonisolated(nonsending) package func load(_ id: LoginID) async throws(StoreError) -> SealedLogin? {
        self.shard(of: id).load(id)
    }

    nonisolated(nonsending) package func replace(
        _ row: SealedLogin, revision: Int64, noting note: NoteAddition?
    ) async throws(StoreError) -> Bool {
        self.shard(of: row.id).replace(row, revision: revision, noting: note)
    }

    package func notes(ofReference reference: String) async throws(StoreError) -> [StoredNote] {
        self.shards.flatMap { $0.notes(ofReference: reference) }
    }

    package func remove(_ id: LoginID, revision: Int64) async throws(StoreError) -> Bool {
        self.shard(of: id).remove(id, revision: revision)
    }

    /// Takes one row of each part in turn. So rows that were created together are removed together, and their memory is
    /// freed.
    package func loadDue(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedLogin] {
        var rows: [SealedLogin] = []
        var turn = self.turn.load(ordering: .relaxed)
        for _ in self.shards where rows.count < limit {
            turn = (turn + 1) % self.shards.count
            rows += self.shards[turn].due(at: now, limit: 1)
        }
        self.turn.store(turn, ordering: .relaxed)
        return rows
    }

    nonisolated(nonsending) package func openCount() async throws(StoreError) -> Int {
        self.counter.count
    }

    private func shard(of id: LoginID) -> MemoryShard {
        self.shards[Int(truncatingIfNeeded: id.tableHash % UInt64(self.shards.count))]
    }
}
