// How a login is cancelled for its app.

import Base

extension LoginFlow {
    /// Cancels the login. While a code is being redeemed, it first waits up to `limit` for the outcome.
    package func cancel(
        _ id: LoginID, secret: PollSecret, waiting limit: Duration
    ) async throws(LoginFlowError) -> LoginView {
        try self.views.view(of: try await self.cancelled(id, secret, waiting: limit), secret)
    }

    /// Returns the login when it is cancelled or has ended, after `limit` at the latest.
    private func cancelled(
        _ id: LoginID, _ secret: PollSecret, waiting limit: Duration
    ) async throws(LoginFlowError) -> LoginSnapshot {
        // Waiting is rare, so we try without a waiter first.
        if let endedLogin = try await self.cancel(id, secret, force: limit <= .zero) { return endedLogin }
        let until = self.repository.now() + limit
        while true {
            let force = self.repository.now() >= until
            let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self)
            let token = self.waiters.polls.add(for: id) { _ in wake.finish() }
            defer { self.waiters.polls.remove(token) }
            if let endedLogin = try await self.cancel(id, secret, force: force) { return endedLogin }
            await wakeUps.waitForEnd(within: until - self.repository.now())
        }
    }

    /// Returns nil while the code exchange is running.
    private func cancel(
        _ id: LoginID, _ secret: PollSecret, force: Bool
    ) async throws(LoginFlowError) -> LoginSnapshot? {
        let snapshot = try await self.repository.read(id, secret)
        let change = try await self.repository.change(snapshot) { login, _ in
            login.cancel(force: force, at: self.repository.now())
        }
        guard let change else { throw .unknownLogin }
        switch change.action {
        case .cancelled, .unchanged: return change.snapshot
        case .wait: return nil
        }
    }
}
