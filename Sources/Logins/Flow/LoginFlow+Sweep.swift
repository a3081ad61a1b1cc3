/// What time alone does to stored logins, in slices.
import JOSE

extension LoginFlow {
    /// Expires, forgets and removes what is due, and goes on with what was left, up to `limit` logins. Returns how many were due.
    package func sweep(limit: Int = 256) async throws(Refusal) -> Int {
        let now = self.now()
        let rows: [SealedLogin]
        do { rows = try await self.store.due(at: now, limit: limit) } catch { throw self.storeFailed(error) }
        for row in rows {
            let changed = try await self.change(row.id) { login, _ in
                login.recover(codeLifetime: self.codeLifetime(of: login), isHeld: self.isHeld(login), at: now)
            }
            if let changed { self.goOn(changed) }
            guard changed?.login.due ?? now <= now else { continue }
            // Gone for good, or a row that no key of ours opens: nothing can come of it any more.
            guard let current = try await self.load(row.id), current.due <= now else { continue }
            do { _ = try await self.store.remove(row.id, revision: current.revision) } catch {
                throw self.storeFailed(error)
            }
        }
        return rows.count
    }

    private func isHeld(_ login: Login) -> Bool {
        guard case .exchanging(let exchange) = login.state else { return false }
        return self.exchanged.contains(exchange.opening)
    }
}
