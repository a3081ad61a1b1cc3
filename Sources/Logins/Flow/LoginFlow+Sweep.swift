/// What time alone does to stored logins, in slices.
import Base

extension LoginFlow {
    /// A row that is due, and what becomes of it.
    private struct Swept {
        let change: SweptLogin
        /// The login before and after; nil where the row is removed.
        var login: (before: Login, changed: Changed<Login.Recovery>)?
    }

    /// Expires, forgets and removes what is due, and goes on with what was left, up to `limit` logins. Returns how many were due.
    package func sweep(limit: Int = 256) async throws(Refusal) -> Int {
        let now = self.now()
        let done: [Bool]
        let swept: [Swept]
        do {
            swept = try await self.store.due(at: now, limit: limit).map { self.swept($0, at: now) }
            done = swept.isEmpty ? [] : try await self.store.settle(swept.map(\.change))
        } catch { throw self.storeFailed(error) }
        // Where another writer was faster, the row is as that one left it, and due again when its time has come.
        for (swept, isDone) in zip(swept, done) where isDone {
            guard let (before, changed) = swept.login else { continue }
            self.tell(of: changed.login, after: before)
            self.goOn(changed)
        }
        return swept.count
    }

    private func swept(_ row: SealedLogin, at now: Timestamp) -> Swept {
        let removed = Swept(change: .remove(row.id, revision: row.revision))
        // A row that no key of ours opens: nothing can come of it any more.
        guard let (before, key) = self.open(row) else { return removed }
        var login = before
        while login.lapse(at: now) {}
        let action = login.recover(
            codeLifetime: self.codeLifetime(of: login), isHeld: self.isHeld(login), at: now)
        // Gone for good.
        guard login.due > now else { return removed }
        login.revision = before.revision + 1
        return Swept(
            change: .replace(LoginSeal.seal(login, under: key), revision: before.revision),
            login: (before, Changed(login: login, key: key, action: action)))
    }

    private func isHeld(_ login: Login) -> Bool {
        guard case .exchanging(let exchange) = login.state else { return false }
        return self.exchanged.contains(exchange.opening)
    }
}
