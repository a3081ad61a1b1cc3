/// Links to an e-ID's app that refuses old ones: when the person is back and may go on, the app gets a new one.
///
/// Only what the app does brings a new link, never a poll: the app polls while the person is in the e-ID's app.
import Brokers

extension LoginFlow {
    /// The login with a link that the e-ID's app still takes, where there can be one.
    nonisolated(nonsending) func renewed(
        _ view: LoginView, _ secret: PollSecret, by caller: Caller
    ) async throws(Refusal) -> LoginView {
        switch view.next {
        case .openApp(let app)? where app.isOld(at: self.now()):
            try await self.renewLink(of: view.id, by: caller)
        case .wait? where view.status == .pending:
            // Open polls are answered too, because there is nothing left for the app to open.
            _ = try await self.change(view.id) { login, _ in login.loseBrowser() }
        case .openApp, .openBrowser, .resumeBrowser, .showBrowser, .enterCode, .wait, nil:
            return view
        }
        return try await self.view(view.id, secret: secret)
    }

    /// Where nothing comes of it the old link stays, and its `expires_in` says how long it is good.
    private func renewLink(of id: LoginID, by caller: Caller) async throws(Refusal) {
        guard let found = try await self.change(id, { login, key in self.renewal(of: login, key) }),
            case .make(let newest) = found.action
        else { return }
        let made: Made
        do {
            try caller.spend(.opening(of: id, isFirst: false))
            made = try await self.makeOpening(
                of: found.login, languages: [], address: caller.address(), found.key, keepsTarget: true)
        } catch {
            if let failure = error as? BrokerFailure {
                self.observe(LoginEvent(.openFailed(failure), found.login))
            }
            return
        }
        let changed = try await self.change(id) { login, _ in
            login.renew(made.opening, after: newest, at: self.now())
        }
        guard let changed, changed.action == .send else { return }
        self.observe(LoginEvent(.opened, changed.login))
        self.follow(made, of: changed.login)
    }

    private func renewal(of login: Login, _ key: ServerKey) -> Login.Renewal {
        login.renewal(at: self.now()) { opening in
            guard case .app(let app)? = self.flight(of: opening.id, opening.flight, login.id, key)?.target else {
                return false
            }
            return app.isOld(at: self.now())
        }
    }
}
