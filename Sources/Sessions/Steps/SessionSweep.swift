// How sessions end whose time is over, how their tombstones are removed later, and how rows are sealed again under the
// newest key, so that a former key can be removed from the configuration.

import Base

extension SessionFlow {
    /// Processes up to `limit` rows. Returns how many rows it processed; with `limit` there may be more.
    package func sweep(limit: Int = 256) async throws(SessionError) -> Int {
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
