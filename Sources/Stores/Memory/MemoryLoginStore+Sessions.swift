// Sessions in the memory of this process. They end with it.

import Base
import Logins
import Sessions

extension MemoryLoginStore: SessionStore {
    nonisolated(nonsending) package func insertSession(_ row: SealedSession) async throws(StoreError) -> Bool {
        self.sessions.insert(row)
    }

    nonisolated(nonsending) package func loadSession(_ id: SessionID) async throws(StoreError) -> SealedSession? {
        self.sessions.load(id)
    }

    nonisolated(nonsending) package func replaceSession(
        _ row: SealedSession, revision: Int64
    ) async throws(StoreError) -> Bool {
        self.sessions.replace(row, revision: revision)
    }

    package func removeSession(_ id: SessionID, revision: Int64) async throws(StoreError) -> Bool {
        self.sessions.remove(id, revision: revision)
    }

    package func loadSessions(
        ofPersons persons: [[UInt8]], after last: SessionID?, limit: Int
    ) async throws(StoreError) -> [SealedSession] {
        self.sessions.ofPersons(Set(persons), after: last, limit: limit)
    }

    package func loadDueSessions(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedSession] {
        self.sessions.due(at: now, limit: limit)
    }

    package func loadSessions(sealedBy keyID: [UInt8], limit: Int) async throws(StoreError) -> [SealedSession] {
        self.sessions.sealed(by: keyID, limit: limit)
    }

    package func sessionCounts() async throws(StoreError) -> [(keyID: [UInt8], count: Int)] {
        self.sessions.counts()
    }
}
