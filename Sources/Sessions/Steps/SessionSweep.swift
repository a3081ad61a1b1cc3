import Base

/// Ends sessions whose time is over, removes their tombstones later, and seals rows again under the newest key, so that
/// a former key can be removed from the configuration.
final class SessionSweep: Sendable {
    private let repository: SessionRepository

    init(repository: SessionRepository) { self.repository = repository }

    /// Returns how many rows were processed.
    func sweep(limit: Int) async throws(SessionError) -> Int {
        let due = try await self.repository.dueRows(limit: limit)
        for row in due { try await self.end(row) }
        guard due.count < limit else { return due.count }
        return due.count + (try await self.reseal(limit: limit - due.count))
    }

    private func end(_ row: SealedSession) async throws(SessionError) {
        // A conflict is no error: the row is due again at its own time.
        guard case .session(let session, _) = self.repository.open(row), session.active != nil else {
            // A tombstone, or a row that no key of ours verifies, whose session can never continue.
            _ = try await self.repository.remove(row)
            return
        }
        _ = try await self.repository.change(row.id) { _, _ in }
    }

    /// A row that none of our keys opens stays until it is due, because its key may come back into the configuration.
    private func reseal(limit: Int) async throws(SessionError) -> Int {
        var count = 0
        for row in try await self.repository.rowsOfFormerKeys(limit: limit) {
            guard case .session = self.repository.open(row, reporting: false) else { continue }
            if try await self.repository.change(row.id, { _, _ in }) != nil { count += 1 }
        }
        return count
    }
}
