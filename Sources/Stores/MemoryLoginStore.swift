/// Logins in the memory of this process: for tests, sandboxes and demos. Nothing survives its end.
import JOSE
import Logins

package final class MemoryLoginStore: LoginStore {
    /// So many parts that no table grows, in one step, for longer than a request may wait.
    private let shards: [MemoryShard]
    private let counter = OpenCounter()

    package init(shards: Int = 64) {
        let open = self.counter
        self.shards = (0..<max(1, shards)).map { _ in MemoryShard(open: open) }
    }

    /// How many rows are open.
    package var open: Int { self.counter.count }

    nonisolated(nonsending) package func insert(_ row: SealedLogin) async throws(StoreError) -> Bool {
        self.shard(of: row.id).insert(row)
    }

    nonisolated(nonsending) package func load(_ id: LoginID) async throws(StoreError) -> SealedLogin? {
        self.shard(of: id).load(id)
    }

    nonisolated(nonsending) package func replace(_ row: SealedLogin, revision: Int64) async throws(StoreError) -> Bool {
        self.shard(of: row.id).replace(row, revision: revision)
    }

    package func remove(_ id: LoginID, revision: Int64) async throws(StoreError) -> Bool {
        self.shard(of: id).remove(id, revision: revision)
    }

    package func due(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedLogin] {
        var rows: [SealedLogin] = []
        for shard in self.shards where rows.count < limit {
            rows += shard.due(at: now, limit: limit - rows.count)
        }
        return rows
    }

    nonisolated(nonsending) package func openCount() async throws(StoreError) -> Int {
        self.counter.count
    }

    private func shard(of id: LoginID) -> MemoryShard {
        self.shards[Int(id.firstByte) % self.shards.count]
    }
}
