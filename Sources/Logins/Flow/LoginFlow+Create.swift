/// An app creates its login.
import Base
import Brokers

extension LoginFlow {
    /// Creates the login of this secret. The same secret with the same request is the same login, on every machine.
    nonisolated(nonsending) package func create(
        _ request: LoginRequest, secret: PollSecret, by caller: Caller = Caller()
    ) async throws(Refusal) -> (view: LoginView, isNew: Bool) {
        let begun = try self.begun(request, secret, by: caller)
        // A retry must not be refused for want of room, nor ask the broker again.
        if try await self.load(begun.login.id) != nil, let view = try await self.known(begun, secret) {
            return (try await self.renewed(view, secret, by: caller), false)
        }
        guard try await self.hasRoom(for: caller, begun.rules) else { throw .tooManyPending }

        let opens = begun.provider.opensAtCreate
        if opens { try caller.spend(.opening(of: begun.login.id, isFirst: true)) }
        let new = opens ? try await self.open(begun, by: caller) : begun
        guard try await self.insert(LoginSeal.seal(new.login, under: new.key)) else {
            // There is a row, and no key of ours believes it: nothing can come of this secret.
            guard let view = try await self.known(begun, secret) else { throw .gone }
            return (view, false)
        }
        await self.count(new, by: caller)
        return (try self.created(new, secret), true)
    }
}

// MARK: - Parts

extension AuthorizeParameter {
    /// Whatever the configuration says.
    fileprivate func isOpen(to caller: Caller) -> Bool {
        switch self {
        case .ours, .link, .malformed: false
        case .person: caller.hasKey
        case .plain: true
        }
    }
}

extension LoginFlow {
    /// What the provider needs, and what it lets an app say.
    private static func check(
        _ request: LoginRequest, for known: KnownProvider, _ rules: LoginRules, by caller: Caller
    ) throws(Refusal) {
        for parameter in request.parameters {
            guard known.provider.parameters.contains(parameter.name),
                AuthorizeParameter.kind(of: parameter.name).isOpen(to: caller),
                rules.brokers[known.provider.brokerID]?.takes(parameter) ?? false
            else { throw .parameterNotAllowed(parameter.name) }
        }
        guard known.provider.opensApp else { return }
        guard let platform = request.platform.flatMap(Visit.Platform.init) else { throw .platformMissing }
        guard known.provider.platforms.contains(platform) else { throw .platformNotSupported("platform") }
        guard platform == .web, let systems = known.provider.webSystems else { return }
        guard let os = request.os else { throw .systemMissing }
        guard systems.contains(where: { $0.rawValue == os }) else { throw .platformNotSupported("os") }
    }

    nonisolated(nonsending) private func known(
        _ new: NewLogin, _ secret: PollSecret
    ) async throws(Refusal) -> LoginView? {
        guard let found = try await self.change(new.login.id, { _, _ in }) else { return nil }
        guard equalInConstantTime(found.login.pollVerifier, new.login.pollVerifier),
            equalInConstantTime(found.login.bodyVerifier, new.login.bodyVerifier)
        else { throw .differentBody }
        return try self.view(of: found.login, found.key, secret)
    }

    nonisolated(nonsending) private func openCount() async throws(Refusal) -> Int {
        do { return try await self.store.openCount() } catch { throw self.storeFailed(error) }
    }

    /// The last of the room is for callers that have little of it, so that nobody takes it all.
    nonisolated(nonsending) private func hasRoom(
        for caller: Caller, _ rules: LoginRules
    ) async throws(Refusal) -> Bool {
        let shares = PendingShares(limit: rules.settings.pendingLimit)
        let isSmall = caller.network.isEmpty || self.pending.count(of: caller.network) < shares.small
        return try await self.openCount() < (isSmall ? shares.limit : shares.large)
    }

    /// Nobody may ever open it: then it is the first to go when its caller has many of these, or all together have.
    nonisolated(nonsending) private func count(_ new: NewLogin, by caller: Caller) async {
        guard !caller.network.isEmpty else { return }
        let shares = PendingShares(limit: new.rules.settings.pendingLimit)
        let dropped = self.pending.add(
            new.login.id, of: caller.network, isOpened: new.made != nil, until: new.login.deadline,
            at: new.login.createdAt, shares)
        guard let dropped else { return }
        // Where the store is away it stays until its time is over.
        _ = try? await self.change(dropped) { login, _ in login.dropUnopened(at: self.now()) }
    }

    // Not inlined, as `created`, so that its locals lie on the stack (see `NewLogin`).
    @inline(never) private func begun(
        _ request: LoginRequest, _ secret: PollSecret, by caller: Caller
    ) throws(Refusal) -> NewLogin {
        let (rules, now) = self.book.begin(self.now)
        guard let known = rules.providers[request.provider] else { throw .unknownProvider }
        guard let app = rules.settings.apps[request.app] else { throw .unknownApp }
        // The same answer as for a provider that nobody has: what other apps have is not this one's business.
        guard let release = app.releases[request.provider] else { throw .unknownProvider }
        try Self.check(request, for: known, rules, by: caller)
        let (key, codes, settings) = (rules.keys.first, secret.codes, rules.settings)
        let id = codes.loginID
        let wishes = AppWishes(request)
        let login = Login(
            id: id, keyID: key.id, app: request.app, provider: request.provider, broker: known.provider.brokerID,
            platform: request.platform, locale: request.locale, surface: request.surface,
            callback: request.callback, release: release,
            createdAt: now, deadline: now + settings.lifetime,
            resultTTL: (Timestamp(milliseconds: 0) + settings.resultTTL).milliseconds,
            pollVerifier: codes.verifier(of: id), bodyVerifier: codes.bodyVerifier(of: request.canonical),
            request: wishes.isEmpty ? [] : FlightSeal(id, under: key).seal(.request, of: [], wishes.bytes),
            wrappedKey: key.wrapped(codes.outcomeKey(of: id).exposed, of: id))
        return NewLogin(login, under: key, known, rules)
    }

    /// Makes the opening of a login whose create does so.
    private func open(_ begun: NewLogin, by caller: Caller) async throws(Refusal) -> NewLogin {
        do throws(BrokerFailure) {
            let made = try await self.makeOpening(
                of: begun.login, languages: [], address: caller.address(), begun.key, keepsTarget: true)
            return begun.opened(made, at: begun.login.createdAt)
        } catch {
            self.observe(LoginEvent(.openFailed(error), begun.login))
            throw error.kind == .notAsked ? .overloaded : .brokerUnreachable
        }
    }

    @inline(never) private func created(_ new: NewLogin, _ secret: PollSecret) throws(Refusal) -> LoginView {
        self.observe(LoginEvent(.created, new.login))
        if let made = new.made { self.follow(made, of: new.login) }
        return try self.view(of: new.login, new.key, secret)
    }
}
