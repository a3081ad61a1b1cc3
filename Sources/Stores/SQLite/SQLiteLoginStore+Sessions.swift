// Sessions in the SQLite file of the logins. Their writes share its transactions.

import Base
import Logins
import Sessions

extension SQLiteLoginStore: SessionStore {
    nonisolated(nonsending) package func insertSession(_ row: SealedSession) async throws(StoreError) -> Bool {
        try await self.writer.perform(.session(.insert(row)))
    }

    nonisolated(nonsending) package func loadSession(_ id: SessionID) async throws(StoreError) -> SealedSession? {
        if let row = self.recent.row(id) { return row }
        let changes = self.recent.changes(near: id)
        guard let row = try await self.read({ try SQLiteSessionRows.load(id, from: $0) }) else { return nil }
        self.recent.keep(row, readAfter: changes)
        return row
    }

    nonisolated(nonsending) package func replaceSession(
        _ row: SealedSession, revision: Int64
    ) async throws(StoreError) -> Bool {
        try await self.writer.perform(.session(.replace(row, revision: revision)))
    }

    package func removeSession(_ id: SessionID, revision: Int64) async throws(StoreError) -> Bool {
        try await self.writer.perform(.session(.remove(id, revision: revision)))
    }

    package func loadSessions(
        ofPersons persons: [[UInt8]], after last: SessionID?, limit: Int
    ) async throws(StoreError) -> [SealedSession] {
        try await self.read { try SQLiteSessionRows.ofPersons(Set(persons), after: last, limit: limit, from: $0) }
    }

    package func loadDueSessions(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedSession] {
        try await self.read { try SQLiteSessionRows.due(at: now, limit: limit, from: $0) }
    }

    package func loadSessions(sealedBy keyID: [UInt8], limit: Int) async throws(StoreError) -> [SealedSession] {
        try await self.read { try SQLiteSessionRows.sealed(by: keyID, limit: limit, from: $0) }
    }

    package func sessionCounts() async throws(StoreError) -> [(keyID: [UInt8], count: Int)] {
        try await self.read { try SQLiteSessionRows.counts(from: $0) }
    }
}
