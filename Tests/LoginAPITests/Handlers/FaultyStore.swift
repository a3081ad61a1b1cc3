/// A memory store that can become unavailable.
import Base
import Logins
import Stores
import Synchronization

final class FaultyStore: LoginStore {
    private let store = MemoryLoginStore()
    private let isThere = Atomic(true)
    private let loadCount = Atomic(0)

    /// How often a login was loaded.
    var loads: Int { self.loadCount.load(ordering: .relaxed) }

    func become(available: Bool) { self.isThere.store(available, ordering: .relaxed) }

    private func check() throws(StoreError) {
        guard self.isThere.load(ordering: .relaxed) else { throw .unavailable }
    }

    func insert(_ row: SealedLogin) async throws(StoreError) -> Bool {
        try self.check()
        return try await self.store.insert(row)
    }

    func load(_ id: LoginID) async throws(StoreError) -> SealedLogin? {
        try self.check()
        self.loadCount.add(1, ordering: .relaxed)
        return try await self.store.load(id)
    }

    func replace(_ row: SealedLogin, revision: Int64) async throws(StoreError) -> Bool {
        try self.check()
        return try await self.store.replace(row, revision: revision)
    }

    func remove(_ id: LoginID, revision: Int64) async throws(StoreError) -> Bool {
        try self.check()
        return try await self.store.remove(id, revision: revision)
    }

    func loadDue(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedLogin] {
        try self.check()
        return try await self.store.loadDue(at: now, limit: limit)
    }

    func openCount() async throws(StoreError) -> Int {
        try self.check()
        return try await self.store.openCount()
    }
}
