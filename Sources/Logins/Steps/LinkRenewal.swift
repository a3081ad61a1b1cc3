// How a link to an e-ID's app that refuses old links is renewed: when the user returns and may continue, the app gets a
// new one.
//
// Only actions of the app renew a link, never a poll, because the app also polls while the user is in the e-ID's app.

import Base
import Brokers

extension LoginFlow {
    /// Returns the view of the login, with a link that the e-ID's app still accepts if possible.
    nonisolated(nonsending) func renew(
        _ view: LoginView, of snapshot: LoginSnapshot, _ secret: PollSecret, by caller: ClientContext
    ) async throws(LoginFlowError) -> LoginView {
        switch view.next {
        case .openApp(let app)? where app.isOld(at: self.repository.now()):
            return try self.views.view(of: try await self.renewLink(of: snapshot, secret, by: caller), secret)
        case .wait? where view.status == .pending:
            // The app has nothing left to open. This change also wakes its long polls.
            let change = try await self.repository.change(snapshot) { login, _ in login.noteBrowserGone() }
            guard let change else { throw .unknownLogin }
            return try self.views.view(of: change.snapshot, secret)
        case .openApp, .openBrowser, .resumeBrowser, .showBrowser, .enterCode, .wait, nil:
            return view
        }
    }

    /// If the renewal fails, the old link stays, and its `expires_in` tells how long it is valid.
    private func renewLink(
        of snapshot: LoginSnapshot, _ secret: PollSecret, by caller: ClientContext
    ) async throws(LoginFlowError) -> LoginSnapshot {
        guard case .make(let newest) = self.renewal(of: snapshot) else { return snapshot }
        let newAttempt: AuthorizationAttemptFactory.NewAttempt
        do {
            try caller.spend(.attempt(of: snapshot.id, isFirst: false))
            newAttempt = try await self.attempts.make(of: snapshot, for: .app(address: caller.address()))
        } catch {
            if let failure = error as? BrokerError { self.repository.emit(.openFailed(failure), of: snapshot) }
            // The login may have changed while we waited for the broker.
            return try await self.repository.read(snapshot.id, secret)
        }
        let change = try await self.repository.change(snapshot, confirms: true) { login, _ in
            login.renew(newAttempt.attempt, after: newest, at: self.repository.now())
        }
        guard let change else { throw .unknownLogin }
        if change.action == .send {
            self.repository.emit(.opened, of: change.snapshot)
            self.polling.startPolling(newAttempt, of: change.snapshot)
        }
        return change.snapshot
    }

    private func renewal(of snapshot: LoginSnapshot) -> Login.Renewal {
        let now = self.repository.now()
        return snapshot.login.renewal(at: now) { attempt in
            guard case .app(let app)? = snapshot.inFlight(of: attempt)?.target else { return false }
            return app.isOld(at: now)
        }
    }
}
