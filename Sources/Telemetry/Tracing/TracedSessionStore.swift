import Base
import Logins
import Sessions

/// A store of sessions whose operations are spans. A sweep is not traced: it is about many sessions.
package struct TracedSessionStore: SessionStore {
    private let store: any SessionStore
    private let trace: StoreTrace

    package init(_ store: any SessionStore, system: String) {
        self.store = store
        self.trace = StoreTrace(system: system, collection: "session")
    }

    nonisolated(nonsending) package func insertSession(_ row: SealedSession) async throws(StoreError) -> Bool {
        try await self.trace.span("insert") { () async throws(StoreError) in try await self.store.insertSession(row) }
    }

    nonisolated(nonsending) package func loadSession(_ id: SessionID) async throws(StoreError) -> SealedSession? {
        try await self.trace.span("load") { () async throws(StoreError) in try await self.store.loadSession(id) }
    }

    nonisolated(nonsending) package func replaceSession(
        _ row: SealedSession, revision: Int64
    ) async throws(StoreError) -> Bool {
        try await self.trace.span("replace") { () async throws(StoreError) in
            try await self.store.replaceSession(row, revision: revision)
        }
    }

    package func removeSession(_ id: SessionID, revision: Int64) async throws(StoreError) -> Bool {
        try await self.store.removeSession(id, revision: revision)
    }

    package func loadSessions(
        ofPersons persons: [[UInt8]], after last: SessionID?, limit: Int
    ) async throws(StoreError) -> [SealedSession] {
        try await self.trace.span("load_many") { () async throws(StoreError) in
            try await self.store.loadSessions(ofPersons: persons, after: last, limit: limit)
        }
    }

    package func loadDueSessions(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedSession] {
        try await self.store.loadDueSessions(at: now, limit: limit)
    }

    package func loadSessions(sealedBy keyID: [UInt8], limit: Int) async throws(StoreError) -> [SealedSession] {
        try await self.store.loadSessions(sealedBy: keyID, limit: limit)
    }

    package func sessionCounts() async throws(StoreError) -> [(keyID: [UInt8], count: Int)] {
        try await self.store.sessionCounts()
    }
}
