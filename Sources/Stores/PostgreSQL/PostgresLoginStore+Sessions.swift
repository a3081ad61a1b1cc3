// Sessions in the database of the logins. They share the connections.

import Base
import Logins
import Sessions

extension PostgresLoginStore: SessionStore {
    package func insertSession(_ row: SealedSession) async throws(StoreError) -> Bool {
        let outcome = await self.pool.ask(SessionStatements.insert(row))
        guard let answer = try self.changeAnswer(outcome) else {
            guard let storedRow = try await self.sessionAfterLoss(row.id) else { throw .unavailable }
            return storedRow == row
        }
        return !answer.isEmpty
    }

    package func loadSession(_ id: SessionID) async throws(StoreError) -> SealedSession? {
        try await self.sessions(SessionStatements.load(id)).first
    }

    package func replaceSession(_ row: SealedSession, revision: Int64) async throws(StoreError) -> Bool {
        let outcome = await self.pool.ask(SessionStatements.replace(row, revision: revision))
        guard let answer = try self.changeAnswer(outcome) else {
            let storedRow = try await self.sessionAfterLoss(row.id)
            // The change may still be running.
            guard storedRow?.revision != revision else { throw .unavailable }
            return storedRow == row
        }
        return !answer.isEmpty
    }

    package func removeSession(_ id: SessionID, revision: Int64) async throws(StoreError) -> Bool {
        let outcome = await self.pool.ask(SessionStatements.remove(id, revision: revision))
        guard let answer = try self.changeAnswer(outcome) else {
            let storedRow = try await self.sessionAfterLoss(id)
            guard storedRow?.revision != revision else { throw .unavailable }
            return storedRow == nil
        }
        return !answer.isEmpty
    }

    package func loadSessions(
        ofPersons persons: [[UInt8]], after last: SessionID?, limit: Int
    ) async throws(StoreError) -> [SealedSession] {
        try await self.sessions(SessionStatements.ofPersons(persons, after: last, limit: limit))
    }

    package func loadDueSessions(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedSession] {
        try await self.sessions(SessionStatements.due(at: now, limit: limit))
    }

    package func loadSessions(sealedBy keyID: [UInt8], limit: Int) async throws(StoreError) -> [SealedSession] {
        try await self.sessions(SessionStatements.sealed(by: keyID, limit: limit))
    }

    package func sessionCounts() async throws(StoreError) -> [(keyID: [UInt8], count: Int)] {
        let answer = try await self.ask(SessionStatements.counts, .reading)
        return try self.health.read(.reading) { () throws(StorageError) in try SessionStatements.counts(answer) }
    }

    private func sessions(_ statement: PostgresStatement) async throws(StoreError) -> [SealedSession] {
        let answer = try await self.ask(statement, .reading)
        return try self.health.read(.reading) { () throws(StorageError) in try SessionStatements.rows(answer) }
    }

    private func sessionAfterLoss(_ id: SessionID) async throws(StoreError) -> SealedSession? {
        try await self.foundAfterLoss { () throws(StoreError) in try await self.loadSession(id) }
    }
}
