import Base

/// Cancels a login for its app. While a code is being redeemed, it first waits for the outcome.
final class LoginCancellation: Sendable {
    private let repository: LoginRepository
    private let waiters: WaiterRegistry

    init(_ repository: LoginRepository, _ waiters: WaiterRegistry) {
        self.repository = repository
        self.waiters = waiters
    }

    /// Returns the cancelled or ended login, after `limit` at the latest.
    func cancel(
        _ id: LoginID, _ secret: PollSecret, waiting limit: Duration
    ) async throws(LoginFlowError) -> LoginSnapshot {
        // Waiting is rare, so we try without a waiter first.
        if let endedLogin = try await self.cancel(id, secret, force: limit <= .zero) { return endedLogin }
        let until = self.repository.now() + limit
        while true {
            let force = self.repository.now() >= until
            let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self)
            let token = self.waiters.add(for: id) { _ in wake.finish() }
            defer { self.waiters.remove(token) }
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
