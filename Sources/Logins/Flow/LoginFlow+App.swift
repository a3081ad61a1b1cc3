/// What an app does with its login: create, look, come back, cancel, acknowledge.
import Brokers
import JOSE
import OpenIDConnect

extension LoginFlow {
    /// Creates the login of this secret. The same secret with the same request is the same login, on every machine.
    package func create(
        _ request: LoginRequest, secret: PollSecret, by caller: Caller = Caller()
    ) async throws(Refusal) -> (view: LoginView, isNew: Bool) {
        let (rules, now) = self.book.begin(self.now)
        guard let provider = rules.providers[request.provider] else { throw .unknownProvider }
        guard let app = rules.settings.apps[request.app] else { throw .unknownApp }
        try Self.check(request, for: provider, rules, by: caller)
        let id = secret.loginID
        let body = secret.bodyVerifier(of: request.canonical)
        // A retry must not be refused for want of room, nor ask the broker again.
        if let known = try await self.known(id, secret, body) { return (known, false) }
        guard try await self.openCount() < rules.settings.pendingLimit else { throw .tooManyPending }

        let key = rules.keys.first
        let began = Beginning(request: request, provider: provider, app: app, rules: rules, at: now)
        let (login, made) = try await self.make(began, id, secret, body, key, address: caller.address)
        guard try await self.insert(LoginSeal.seal(login, under: key)) else {
            // There is a row, and no key of ours believes it: nothing can come of this secret.
            guard let known = try await self.known(id, secret, body) else { throw .gone }
            return (known, false)
        }
        self.observe(LoginEvent(.created, login))
        if let made { self.follow(made, of: login) }
        return (try self.view(of: login, key, secret), true)
    }

    /// What the provider needs, and what it lets an app say.
    private static func check(
        _ request: LoginRequest, for provider: Provider, _ rules: LoginRules, by caller: Caller
    ) throws(Refusal) {
        for parameter in request.parameters {
            guard provider.parameters.contains(parameter.name),
                caller.hasKey || !Provider.personalParameters.contains(parameter.name),
                rules.brokers[provider.brokerID]?.takes(parameter) ?? false
            else { throw .parameterNotAllowed(parameter.name) }
        }
        if provider.opensApp, !["ios", "android"].contains(request.platform) { throw .platformMissing }
    }

    /// The login as it stands.
    package func view(_ id: LoginID, secret: PollSecret) async throws(Refusal) -> LoginView {
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

// MARK: - Parts

extension LoginFlow {
    /// `change` for whoever has the secret. An unknown id and a wrong secret are the same refusal.
    private func change<Action>(
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

    private func known(_ id: LoginID, _ secret: PollSecret, _ body: [UInt8]) async throws(Refusal) -> LoginView? {
        guard let found = try await self.change(id, { _, _ in }) else { return nil }
        guard equalInConstantTime(found.login.pollVerifier, secret.verifier(of: id)),
            equalInConstantTime(found.login.bodyVerifier, body)
        else { throw .differentBody }
        return try self.view(of: found.login, found.key, secret)
    }

    private func openCount() async throws(Refusal) -> Int {
        do { return try await self.store.openCount() } catch { throw self.storeFailed(error) }
    }

    /// What a login begins with.
    private struct Beginning {
        let request: LoginRequest
        let provider: Provider
        let app: App
        let rules: LoginRules
        let at: Timestamp
    }

    private func make(
        _ beginning: Beginning, _ id: LoginID, _ secret: PollSecret, _ body: [UInt8], _ key: ServerKey,
        address: String?
    ) async throws(Refusal) -> (Login, Made?) {
        let (request, provider, settings) = (beginning.request, beginning.provider, beginning.rules.settings)
        let wishes = AppWishes(request)
        let flight = FlightSeal(id, under: key)
        var login = Login(
            id: id, keyID: key.id, app: request.app, provider: provider.id, broker: provider.brokerID,
            platform: request.platform, locale: request.locale, surface: request.surface,
            callback: request.callback, release: settings.releases[provider.id] ?? beginning.app.release,
            createdAt: beginning.at,
            deadline: beginning.at + settings.lifetime,
            resultTTL: (Timestamp(milliseconds: 0) + settings.resultTTL).milliseconds,
            pollVerifier: secret.verifier(of: id), bodyVerifier: body,
            request: wishes.isEmpty ? [] : flight.seal(.request, of: [], wishes.bytes),
            wrappedKey: key.wrapped(secret.outcomeKey(of: id).exposed, of: id))
        guard provider.authorize == .direct || provider.opensApp else { return (login, nil) }
        do throws(BrokerFailure) {
            let made = try await self.makeOpening(of: login, languages: [], address: address, key, keepsTarget: true)
            _ = login.open(made.opening, at: beginning.at)
            return (login, made)
        } catch {
            self.observe(LoginEvent(.openFailed, login, detail: error.detail))
            throw .brokerUnreachable
        }
    }

    /// What the app may see; `.gone` when there is nothing left to see.
    private func view(of login: Login, _ key: ServerKey, _ secret: PollSecret) throws(Refusal) -> LoginView {
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
        return LoginView(
            id: login.id, status: status, version: login.version, app: login.app, provider: login.provider,
            audience: rules.settings.apps[login.app]?.audience,
            createdAt: login.createdAt, expiresAt: login.lapsesAt, reason: login.reason, hint: login.hint,
            next: self.next(for: login, rules, key),
            result: result,
            proof: proof, returnPrefixes: self.returnPrefixes(of: login))
    }

    private func next(for login: Login, _ rules: LoginRules, _ key: ServerKey) -> LoginView.Next? {
        let provider = rules.providers[login.provider]
        let browsers = provider?.eidApp.androidBrowsers ?? []
        let opensAtCreate = provider.map { $0.authorize == .direct || $0.opensApp } ?? false
        switch login.state {
        case .pending:
            if !login.resume.isEmpty,
                let url = FlightSeal(login.id, under: key).open(.resume, of: [], login.resume)
            {
                return .resumeBrowser(url: String(decoding: url, as: UTF8.self))
            }
            if let opening = login.openings.first, opensAtCreate,
                let target = self.flight(of: opening.id, opening.flight, login.id, key)?.target
            {
                switch target {
                case .browser(let url): return .openBrowser(url: url, androidBrowsers: browsers)
                case .app(let app): return .openApp(app)
                }
            }
            let token = StartToken.text(for: login.id, under: key)
            return .openBrowser(url: "\(rules.settings.publicURL)/go/\(token)", androidBrowsers: browsers)
        case .exchanging:
            return .wait
        case .awaitingReturn:
            return login.release == .code ? .enterCode : .showBrowser
        case .completed, .failed, .cancelled, .expired, .gone:
            return nil
        }
    }
}
