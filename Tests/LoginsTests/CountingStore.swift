import Base
import Logins
import Stores
import Synchronization

/// A memory store that counts its calls and can become unavailable. It can also play a store whose last process ended.
final class CountingStore: LoginStore {
    private let store = MemoryLoginStore()
    private let counts = Mutex((loads: 0, writes: 0))
    private let isThere = Atomic(true)
    /// What processes that have ended have left.
    let abandoned = Mutex(AbandonedLogins())
    let processName = "of this process"
    /// The rows that it plays to have used. Nil if it remembers none.
    let recentRows = Mutex<[LoginID: SealedLogin]?>(nil)
    /// Runs once, before the next row is replaced.
    let beforeReplacing = Mutex<(@Sendable () async -> Void)?>(nil)

    /// Returns how many rows were loaded and written since the last call.
    func take() -> (loads: Int, writes: Int) {
        self.counts.withLock { counts in
            defer { counts = (0, 0) }
            return counts
        }
    }

    func become(available: Bool) { self.isThere.store(available, ordering: .relaxed) }

    private func check() throws(StoreError) {
        guard self.isThere.load(ordering: .relaxed) else { throw .unavailable }
    }

    func insert(_ row: SealedLogin, noting note: NoteAddition?) async throws(StoreError) -> Bool {
        try self.check()
        self.counts.withLock { $0.writes += 1 }
        self.recentRows.withLock { $0?[row.id] = row }
        return try await self.store.insert(row, noting: note)
    }

    func load(_ id: LoginID) async throws(StoreError) -> SealedLogin? {
        try self.check()
        self.counts.withLock { $0.loads += 1 }
        return try await self.store.load(id)
    }

    func recent(_ id: LoginID) -> SealedLogin? { self.recentRows.withLock { $0?[id] } }

    func replace(
        _ row: SealedLogin, revision: Int64, noting note: NoteAddition?
    ) async throws(StoreError) -> Bool {
        try self.check()
        let meanwhile = self.beforeReplacing.withLock { meanwhile in
            defer { meanwhile = nil }
            return meanwhile
        }
        await meanwhile?()
        self.counts.withLock { $0.writes += 1 }
        let isDone = try await self.store.replace(row, revision: revision, noting: note)
        self.recentRows.withLock { $0?[row.id] = isDone ? row : nil }
        return isDone
    }

    func takeAbandoned(dueBy: Timestamp) async throws(StoreError) -> AbandonedLogins {
        self.abandoned.withLock { abandoned in
            defer { abandoned = AbandonedLogins() }
            return abandoned
        }
    }

    func notes(ofReference reference: String) async throws(StoreError) -> [StoredNote] {
        try self.check()
        return try await self.store.notes(ofReference: reference)
    }

    func remove(_ id: LoginID, revision: Int64) async throws(StoreError) -> Bool {
        try await self.store.remove(id, revision: revision)
    }

    func loadDue(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedLogin] {
        try await self.store.loadDue(at: now, limit: limit)
    }

    func openCount() async throws(StoreError) -> Int {
        try self.check()
        return try await self.store.openCount()
    }
}
