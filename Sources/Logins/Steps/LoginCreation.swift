// How the login of an app is created. If the create request makes the authorization attempt, we call the broker before
// we store anything.

import Base
import Brokers
import Traces

extension LoginFlow {
    /// Creates the login of this secret. The same secret with the same request gives the same login on every machine.
    nonisolated(nonsending) package func create(
        _ request: LoginRequest, secret: PollSecret, by caller: ClientContext = ClientContext()
    ) async throws(LoginFlowError) -> (view: LoginView, isNew: Bool) {
        let result = try await self.findOrMake(request, secret, by: caller)
        if result.isNew, let formerSecret = request.replaces {
            await self.reportReplacement(of: formerSecret, by: result.view)
        }
        return result
    }

    nonisolated(nonsending) private func findOrMake(
        _ request: LoginRequest, _ secret: PollSecret, by caller: ClientContext
    ) async throws(LoginFlowError) -> (view: LoginView, isNew: Bool) {
        let new = try self.makeLogin(request, secret, by: caller)
        WorkContext.note(new.id)
        let startsAtCreate = new.provider?.startsAtCreate ?? false
        let hasRoom = try await self.makeRoom(for: caller, new.configuration)
        let isEnabled = new.provider?.isEnabled ?? false
        // A retry must not be refused because of limits or of a provider that was switched off since, nor call the
        // broker again. Otherwise we do not look first: an id that is taken is noticed when the login is stored.
        if startsAtCreate || !hasRoom || !isEnabled, let storedLogin = try await self.repository.read(new.id) {
            return try await self.repeated(storedLogin, new, secret, by: caller)
        }
        guard isEnabled else { throw .providerOff }
        guard hasRoom else { throw .tooManyPending }

        guard startsAtCreate else { return try await self.store(new, attempt: nil, secret, by: caller) }
        try caller.spend(.attempt(of: new.id, isFirst: true))
        let newAttempt = try await self.startAttempt(new, by: caller)
        return try await self.store(Self.adding(new, newAttempt), attempt: newAttempt, secret, by: caller)
    }

    /// Returns the login that this secret has made before.
    nonisolated(nonsending) private func repeated(
        _ storedLogin: LoginSnapshot, _ new: LoginSnapshot, _ secret: PollSecret, by caller: ClientContext
    ) async throws(LoginFlowError) -> (view: LoginView, isNew: Bool) {
        try Self.check(storedLogin, isThatOf: new)
        let view = try self.views.view(of: storedLogin, secret)
        return (try await self.renew(view, of: storedLogin, secret, by: caller), false)
    }

    nonisolated(nonsending) private func store(
        _ new: LoginSnapshot, attempt: AuthorizationAttemptFactory.NewAttempt?, _ secret: PollSecret,
        by caller: ClientContext
    ) async throws(LoginFlowError) -> (view: LoginView, isNew: Bool) {
        guard try await self.repository.insert(new, as: .created(by: caller.agent)) else {
            // The id is taken. If none of our keys verifies the row, this secret can have no login.
            guard let storedLogin = try await self.repository.read(new.id) else { throw .gone }
            return try await self.repeated(storedLogin, new, secret, by: caller)
        }
        await self.count(new, isOpened: attempt != nil, by: caller)
        return (try self.makeResult(new, attempt, secret, by: caller), true)
    }

    /// Reports that the app has left the login of this secret for another, if that login is one of the same app and has
    /// not ended. Whatever else the secret belongs to, and a store that does not respond, are no reason to fail the new
    /// login.
    nonisolated(nonsending) private func reportReplacement(of secret: PollSecret, by new: LoginView) async {
        let id = secret.loginID
        guard id != new.id, let former = try? await self.repository.read(id, secret), former.login.isOpen,
            former.login.app == new.app
        else { return }
        self.repository.emit(.replaced(by: new.id), of: former)
    }

    // Not inlined, like `makeResult`, so that its locals stay on the stack (see `LoginSnapshot`).
    @inline(never) private func makeLogin(
        _ request: LoginRequest, _ secret: PollSecret, by caller: ClientContext
    ) throws(LoginFlowError) -> LoginSnapshot {
        let (configuration, now) = self.repository.beginLogin()
        guard let knownProvider = configuration.providers[request.provider] else { throw .unknownProvider }
        guard let knownApp = configuration.apps[request.app] else { throw .unknownApp }
        // The same error as for an unknown provider: an app must not learn which providers other apps have.
        guard let release = knownApp.settings.releases[request.provider] else { throw .unknownProvider }
        if knownApp.settings.needsThumbprint, request.dpopThumbprint == nil { throw .thumbprintMissing }
        try Self.check(request, for: knownProvider, configuration, by: caller)
        let (key, codes, settings) = (configuration.keys.first, secret.codes, configuration.settings)
        let id = codes.loginID
        let stored = request.stored
        let login = Login(
            id: id, keyID: key.id, app: request.app, provider: request.provider,
            broker: knownProvider.provider.brokerID,
            platform: request.platform, locale: request.locale, surface: request.surface,
            callback: request.callback, release: release,
            createdAt: now, deadline: now + settings.lifetime,
            resultTTL: (Timestamp(milliseconds: 0) + settings.resultTTL).milliseconds,
            pollVerifier: codes.verifier(of: id), bodyVerifier: codes.bodyVerifier(of: request.canonical),
            request: stored.isEmpty ? [] : InFlightSeal(id, under: key).seal(.request, of: [], stored),
            wrappedKey: key.wrapped(codes.outcomeKey(of: id).exposed, of: id))
        let new = LoginSnapshot(login, under: key, configuration, provider: knownProvider, app: knownApp)
        try Self.check(request.actions, for: new)
        return new
    }

    @inline(never) private func makeResult(
        _ new: LoginSnapshot, _ attempt: AuthorizationAttemptFactory.NewAttempt?, _ secret: PollSecret,
        by caller: ClientContext
    ) throws(LoginFlowError) -> LoginView {
        self.repository.emitCreation(of: new, by: caller.agent)
        if let attempt { self.polling.startPolling(attempt, of: new) }
        return try self.views.view(of: new, secret)
    }

    /// Checks that the request has what the provider needs, and only parameters that the provider allows.
    private static func check(
        _ request: LoginRequest, for knownProvider: KnownProvider, _ configuration: LoginConfiguration,
        by caller: ClientContext
    ) throws(LoginFlowError) {
        for parameter in request.parameters {
            guard knownProvider.provider.parameters.contains(parameter.name),
                AuthorizeParameter.kind(of: parameter.name).isOpen(to: caller),
                configuration.brokers[knownProvider.provider.brokerID]?.accepts(parameter) ?? false
            else { throw .parameterNotAllowed(parameter.name) }
        }
        guard knownProvider.provider.opensApp else { return }
        guard let platform = request.platform else { throw .platformMissing }
        guard knownProvider.provider.platforms.contains(platform) else { throw .platformNotSupported("platform") }
        guard platform == .web, let systems = knownProvider.provider.webSystems else { return }
        guard let os = request.os else { throw .systemMissing }
        guard systems.contains(where: { $0.rawValue == os }) else { throw .platformNotSupported("os") }
    }

    /// Checks that the client knows each action without which the login cannot end well. It can do without the others,
    /// because a page takes their place.
    private static func check(_ actions: KnownActions, for new: LoginSnapshot) throws(LoginFlowError) {
        // Most creates name none, and the usual ones are enough for every login.
        guard actions != .usual else { return }
        guard actions.contains(.openBrowser) else { throw .actionMissing(.openBrowser) }
        // A provider that opens an app has no page, neither for the login nor for a code.
        if new.provider?.opensApp ?? false {
            guard actions.contains(.openApp) else { throw .actionMissing(.openApp) }
        } else if new.needsCode {
            guard actions.contains(.enterCode) else { throw .actionMissing(.enterCode) }
        }
    }

    /// Checks that the stored login has the same secret and the same request. A tombstone does not keep the request.
    private static func check(_ storedLogin: LoginSnapshot, isThatOf new: LoginSnapshot) throws(LoginFlowError) {
        guard storedLogin.login.isMade(with: new.login.pollVerifier),
            storedLogin.login.isOver || equalInConstantTime(storedLogin.login.bodyVerifier, new.login.bodyVerifier)
        else { throw .differentBody }
    }

    private func startAttempt(_ new: LoginSnapshot, by caller: ClientContext) async throws(LoginFlowError)
        -> AuthorizationAttemptFactory.NewAttempt
    {
        do throws(BrokerError) {
            return try await self.attempts.make(of: new, for: .app(address: caller.address()))
        } catch {
            self.repository.emit(.openFailed(error), of: new)
            throw error.refusal
        }
    }

    private static func adding(_ new: LoginSnapshot, _ newAttempt: AuthorizationAttemptFactory.NewAttempt)
        -> LoginSnapshot
    {
        var login = new.login
        _ = login.start(newAttempt.attempt, at: login.createdAt)
        return new.with(login)
    }

    // MARK: Room

    /// Returns whether the caller may create another login. The last part of the room is reserved for small callers, so
    /// that no single caller can take it all.
    nonisolated(nonsending) private func makeRoom(
        for caller: ClientContext, _ configuration: LoginConfiguration
    ) async throws(LoginFlowError) -> Bool {
        let shares = PendingLoginQuota(limit: configuration.settings.pendingLimit)
        let isSmall = caller.network.isEmpty || self.pending.count(of: caller.network) < shares.small
        return try await self.repository.openCount() < (isSmall ? shares.limit : shares.large)
    }

    /// Counts a login that may never be opened. If the caller has, or all callers together have, too many of these, the
    /// oldest one is dropped.
    nonisolated(nonsending) private func count(_ new: LoginSnapshot, isOpened: Bool, by caller: ClientContext) async {
        guard !caller.network.isEmpty else { return }
        let shares = PendingLoginQuota(limit: new.configuration.settings.pendingLimit)
        let evictedID = self.pending.add(
            new.id, of: caller.network, isOpened: isOpened, until: new.login.deadline, at: new.login.createdAt, shares)
        guard let evictedID else { return }
        // If the store is unavailable, the login stays until its deadline.
        _ = try? await self.repository.change(evictedID, emitting: { $0 ? .evicted : nil }) { login, _ in
            login.dropUnstarted(at: self.repository.now())
        }
    }
}

extension AuthorizeParameter {
    /// Returns whether the caller may set this parameter, whatever the configuration says.
    fileprivate func isOpen(to caller: ClientContext) -> Bool {
        switch self {
        case .ours, .link, .malformed: false
        case .person: caller.hasKey
        case .plain: true
        }
    }
}
