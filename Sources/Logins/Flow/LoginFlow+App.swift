/// What an app does with its login once it is there: look, cancel, acknowledge.
import Base
import Brokers
import OpenIDConnect

extension LoginFlow {
    /// The login as it stands.
    nonisolated(nonsending) package func view(_ id: LoginID, secret: PollSecret) async throws(Refusal) -> LoginView {
        let found = try await self.change(id, secret) { _ in }
        return try self.view(of: found.login, found.key, secret)
    }

    /// Gives up. While a code is being redeemed it waits up to `limit` for the outcome first.
    package func cancel(_ id: LoginID, secret: PollSecret, waiting limit: Duration) async throws(Refusal) -> LoginView {
        // Few have to wait for anything, so nothing is made ready for it yet.
        let changed = try await self.change(id, secret) { $0.cancel(force: limit <= .zero, at: self.now()) }
        switch changed.action {
        case .cancelled, .unchanged: return try self.view(of: changed.login, changed.key, secret)
        case .wait: return try await self.cancel(id, secret, until: self.now() + limit)
        }
    }

    private func cancel(_ id: LoginID, _ secret: PollSecret, until: Timestamp) async throws(Refusal) -> LoginView {
        while true {
            let force = self.now() >= until
            let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self)
            let token = self.waiters.begin(for: id) { _ in wake.finish() }
            defer { self.waiters.end(token) }
            let changed = try await self.change(id, secret) { $0.cancel(force: force, at: self.now()) }
            switch changed.action {
            case .cancelled, .unchanged:
                return try self.view(of: changed.login, changed.key, secret)
            case .wait:
                await wakeUps.ends(within: until - self.now())
            }
        }
    }

    /// The app has the result safe: it is wiped. Does nothing the second time.
    package func acknowledge(_ id: LoginID, secret: PollSecret) async throws(Refusal) {
        let changed = try await self.change(id, secret) { $0.acknowledge(at: self.now()) }
        switch changed.action {
        case .wiped: self.observe(LoginEvent(.acknowledged, changed.login))
        case .alreadyGone: return
        case .notFinal: throw .notFinal
        }
    }
}

extension LoginFlow {
    /// The result of this login is part of an answer to the app.
    package func noteDelivery(of view: LoginView) { self.observe(LoginEvent(.delivered, view)) }
}

// MARK: - Parts

extension LoginFlow {
    /// `change` for whoever has the secret. An unknown id and a wrong secret are the same refusal.
    nonisolated(nonsending) private func change<Action>(
        _ id: LoginID, _ secret: PollSecret, _ transition: (inout Login) -> Action
    ) async throws(Refusal) -> Changed<Action> {
        let verifier = secret.verifier(of: id)
        let changed = try await self.change(id) { login, _ -> Action? in
            guard equalInConstantTime(login.pollVerifier, verifier) else { return nil }
            return transition(&login)
        }
        guard let changed, let action = changed.action else { throw .unknownLogin }
        return Changed(login: changed.login, key: changed.key, action: action)
    }

    /// What the app may see; `.gone` when there is nothing left to see.
    func view(of login: Login, _ key: ServerKey, _ secret: PollSecret) throws(Refusal) -> LoginView {
        guard let status = login.status else { throw .gone }
        var result: LoginResult?
        var proof: Proof?
        if case .completed(let outcome) = login.state {
            let header = OutcomeSeal.Header(
                login: login, status: .completed, proof: outcome.proof, keepUntil: outcome.keepUntil)
            let seal = OutcomeSeal(secret.outcomeKey(of: login.id), header, under: key)
            result = seal.open(outcome.sealed).flatMap { LoginResult($0) }
            proof = outcome.proof
            // A result that does not open under the right secret is not what was sealed.
            guard result != nil else { throw .storeUnavailable }
        }
        let rules = self.book.rules(of: login)
        let app = rules.settings.apps[login.app]
        var view = LoginView(
            id: login.id, status: status, version: login.version, app: login.app, provider: login.provider,
            platform: login.platform, assertion: app?.assertion,
            createdAt: login.createdAt, expiresAt: login.lapsesAt, reason: login.reason, hint: login.hint,
            next: self.next(for: login, rules, key),
            result: result,
            proof: proof, returnPrefixes: self.returnPrefixes(of: login, rules, app))
        if let provider = rules.providers[login.provider]?.provider {
            view.surfaces = provider.surfaces(
                on: login.platform.flatMap(Visit.Platform.init), wanted: login.surface)
            view.isEphemeral = provider.isEphemeral
        }
        return view
    }

    /// With where the e-ID's app is to be had on the phone in question.
    private func reachable(_ app: AppTarget, of login: Login, _ download: EIDAppDownload?, _ key: ServerKey)
        -> AppTarget
    {
        guard let download else { return app }
        var app = app
        app.storeURL = download.store(on: self.phone(of: login, key))
        app.fallback = download.fallback ?? app.storeURL
        return app
    }

    /// Leads the browser that brought the broker's answer back to its page, by a cookie. The app learns nothing from it.
    private func pageURL(of login: Login, _ rules: LoginRules, _ key: ServerKey) -> String {
        let token = StartToken.text(for: login.id, under: key)
        // A link to the app that opened in a browser came to this server by the host of the link. Its cookie is there.
        if let redirectURI = rules.brokers[login.broker]?.appRedirectURI, let origin = Self.webOrigin(of: redirectURI) {
            return "\(origin)/go/\(token)"
        }
        return rules.settings.startURL + token
    }

    /// Nil for a custom scheme.
    private static func webOrigin(of url: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: { url.hasPrefix($0) }) else { return nil }
        return scheme + url.dropFirst(scheme.count).prefix { $0 != "/" }
    }

    private func next(for login: Login, _ rules: LoginRules, _ key: ServerKey) -> LoginView.Next? {
        let known = rules.providers[login.provider]
        let browsers = known?.provider.eidApp.androidBrowsers ?? []
        switch login.state {
        case .pending:
            if !login.resume.isEmpty,
                let url = FlightSeal(login.id, under: key).open(.resume, of: [], login.resume)
            {
                return .resumeBrowser(url: String(decoding: url, as: UTF8.self))
            }
            // A broker may take its authorize URL only once, so "continue" goes by `/go`.
            let isFirst = !login.isBrowserGone && login.openings.count == 1
            if let opening = login.openings.last, known?.opensAtCreate ?? false,
                isFirst || known?.provider.opensApp ?? false,
                let target = self.flight(of: opening.id, opening.flight, login.id, key)?.target
            {
                switch target {
                case .browser(let url): return .openBrowser(url: url, androidBrowsers: browsers)
                case .app(let app):
                    // No report brings another link now, and the e-ID's app would refuse this one.
                    let isLast = login.openings.count >= Opening.mostAtOnce
                    return isLast && app.isExpired(at: self.now())
                        ? .wait : .openApp(self.reachable(app, of: login, known?.provider.download, key))
                }
            }
            let url = rules.settings.startURL + StartToken.text(for: login.id, under: key)
            return .openBrowser(url: url, androidBrowsers: browsers)
        case .exchanging:
            return .wait
        case .awaitingReturn:
            let url = self.pageURL(of: login, rules, key)
            return self.needsCode(login) || login.isBrowserGone
                ? .enterCode(url: url, androidBrowsers: browsers) : .showBrowser(url: url, androidBrowsers: browsers)
        case .completed, .failed, .cancelled, .expired, .gone:
            return nil
        }
    }
}
