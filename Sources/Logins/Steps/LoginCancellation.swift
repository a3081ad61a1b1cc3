/// Ends a login at the app's wish. While a code is being redeemed it waits for the outcome first.
import Base

final class LoginCancellation: Sendable {
    private let repository: LoginRepository
    private let waiters: Waiters

    init(_ repository: LoginRepository, _ waiters: Waiters) {
        self.repository = repository
        self.waiters = waiters
    }

    /// The login as it stands then, after `limit` at the latest.
    func cancel(
        _ id: LoginID, _ secret: PollSecret, waiting limit: Duration
    ) async throws(LoginFlowError) -> LoginSnapshot {
        // Few have to wait for anything, so nothing is made ready for it yet.
        if let ended = try await self.cancel(id, secret, force: limit <= .zero) { return ended }
        let until = self.repository.now() + limit
        while true {
            let force = self.repository.now() >= until
            let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self)
            let token = self.waiters.begin(for: id) { _ in wake.finish() }
            defer { self.waiters.end(token) }
            if let ended = try await self.cancel(id, secret, force: force) { return ended }
            await wakeUps.ends(within: until - self.repository.now())
        }
    }

    /// Nil while there is an outcome to wait for.
    private func cancel(
        _ id: LoginID, _ secret: PollSecret, force: Bool
    ) async throws(LoginFlowError) -> LoginSnapshot? {
        let known = try await self.repository.read(id, secret)
        let changed = try await self.repository.change(known) { login, _ in
            login.cancel(force: force, at: self.repository.now())
        }
        guard let changed else { throw .unknownLogin }
        switch changed.action {
        case .cancelled, .unchanged: return changed.snapshot
        case .wait: return nil
        }
    }
}
