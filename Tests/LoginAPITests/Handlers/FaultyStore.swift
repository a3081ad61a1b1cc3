import Base
import Logins
import Sessions
import Stores
import Synchronization

/// A memory store that can become unavailable.
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

    func insert(_ row: SealedLogin, noting note: NoteAddition?) async throws(StoreError) -> Bool {
        try self.check()
        return try await self.store.insert(row, noting: note)
    }

    func load(_ id: LoginID) async throws(StoreError) -> SealedLogin? {
        try self.check()
        self.loadCount.add(1, ordering: .relaxed)
        return try await self.store.load(id)
    }

    func replace(
        _ row: SealedLogin, revision: Int64, noting note: NoteAddition?
    ) async throws(StoreError) -> Bool {
        try self.check()
        return try await self.store.replace(row, revision: revision, noting: note)
    }

    func notes(ofReference reference: String) async throws(StoreError) -> [StoredNote] {
        try self.check()
        return try await self.store.notes(ofReference: reference)
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

extension FaultyStore: SessionStore {
    nonisolated(nonsending) func insertSession(_ row: SealedSession) async throws(StoreError) -> Bool {
        try self.check()
        return try await self.store.insertSession(row)
    }

    nonisolated(nonsending) func loadSession(_ id: SessionID) async throws(StoreError) -> SealedSession? {
        try self.check()
        return try await self.store.loadSession(id)
    }

    nonisolated(nonsending) func replaceSession(
        _ row: SealedSession, revision: Int64
    ) async throws(StoreError) -> Bool {
        try self.check()
        return try await self.store.replaceSession(row, revision: revision)
    }

    func removeSession(_ id: SessionID, revision: Int64) async throws(StoreError) -> Bool {
        try self.check()
        return try await self.store.removeSession(id, revision: revision)
    }

    func loadSessions(
        ofPersons persons: [[UInt8]], after last: SessionID?, limit: Int
    ) async throws(StoreError) -> [SealedSession] {
        try self.check()
        return try await self.store.loadSessions(ofPersons: persons, after: last, limit: limit)
    }

    func loadDueSessions(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedSession] {
        try self.check()
        return try await self.store.loadDueSessions(at: now, limit: limit)
    }

    func loadSessions(sealedBy keyID: [UInt8], limit: Int) async throws(StoreError) -> [SealedSession] {
        try self.check()
        return try await self.store.loadSessions(sealedBy: keyID, limit: limit)
    }

    func sessionCounts() async throws(StoreError) -> [(keyID: [UInt8], count: Int)] {
        try self.check()
        return try await self.store.sessionCounts()
    }
}
