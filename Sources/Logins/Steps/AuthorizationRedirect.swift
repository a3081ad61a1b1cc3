import Base
import Brokers
import OpenIDConnect

/// The response to a browser that opened our link.
package enum StartOutcome: Equatable, Sendable {
    /// Redirect the browser to the broker and set its cookie.
    case redirect(to: String, AttemptCookie?)
    /// The browser has already brought the authorization response: send it to its destination again.
    case redirectBack(BrowserDestination)
    case page(PageView)
}

/// Sends a browser from our link to the broker: to start the login, to continue it, or to see its page again.
final class AuthorizationRedirect: Sendable {
    private let repository: LoginRepository
    private let pending: PendingLogins
    private let maker: AuthorizationAttemptFactory
    private let polling: BrokerPolling
    private let pages: PageViews

    init(
        _ repository: LoginRepository, _ pending: PendingLogins, _ maker: AuthorizationAttemptFactory,
        _ polling: BrokerPolling,
        _ pages: PageViews
    ) {
        self.repository = repository
        self.pending = pending
        self.maker = maker
        self.polling = polling
        self.pages = pages
    }

    func start(
        _ startToken: String, languages: [String], cookies: [Parameter], by caller: ClientContext
    ) async -> StartOutcome {
        guard let id = StartToken.login(of: startToken, keys: self.repository.keys) else {
            return .page(PageView(.neutral))
        }
        do throws(LoginFlowError) {
            // Nearly every link is opened where its login was created, and before anything else has happened to it.
            if let new = self.repository.recent(id), new.login.revision == 1, new.login.attempts.isEmpty,
                let outcome = try await self.start(new, isRecent: true, languages, cookies, by: caller)
            {
                return outcome
            }
            guard let known = try await self.repository.read(id),
                let outcome = try await self.start(known, isRecent: false, languages, cookies, by: caller)
            else { return .page(PageView(.neutral)) }
            return outcome
        } catch {
            return .page(PageView(.unavailable))
        }
    }

    /// Returns nil if the login `isRecent` and may have changed since.
    private func start(
        _ known: LoginSnapshot, isRecent: Bool, _ languages: [String], _ cookies: [Parameter],
        by caller: ClientContext
    ) async throws(LoginFlowError) -> StartOutcome? {
        if let taken = known.login.acceptedResponse, AttemptCookie(known.id, taken, under: known.key).isAmong(cookies) {
            return .redirectBack(known.destination(after: taken))
        }
        let isBack = AttemptCookie.isAnyOfReturn(
            cookies, to: known.id, pageCode: known.login.pageCode, under: known.key)
        if isBack { return .page(self.pages.page(of: known, for: .returned)) }
        let opensApp = known.provider?.provider.opensApp ?? false
        guard !opensApp else { return .page(self.pages.page(of: known)) }
        let setout = known.login.attemptChoice(at: self.repository.now()) { attempt in
            AttemptCookie(known.id, attempt: attempt.id, under: known.key).isAmong(cookies)
        }
        guard setout == .new || !isRecent else { return nil }
        return try await self.startAttempt(known, setout, isRecent: isRecent, languages, by: caller)
    }

    private func startAttempt(
        _ known: LoginSnapshot, _ setout: Login.AttemptChoice, isRecent: Bool, _ languages: [String],
        by caller: ClientContext
    ) async throws(LoginFlowError) -> StartOutcome? {
        switch setout {
        case .new, .again:
            do throws(LoginFlowError) {
                try caller.spend(.attempt(of: known.id, isFirst: known.login.attempts.isEmpty))
            } catch {
                return .page(self.pages.page(after: error, of: known))
            }
        case .refuse: return .page(self.pages.page(.openElsewhere, of: known))
        case .show: return .page(self.pages.page(of: known))
        }
        let made: AuthorizationAttemptFactory.NewAttempt
        do throws(BrokerError) {
            if case .again(let attempt, let isOwn) = setout {
                made = try await self.maker.remake(attempt, isOwn: isOwn, of: known, languages: languages)
            } else {
                made = try await self.maker.make(of: known, for: .browser(languages: languages))
            }
        } catch {
            // The browser has closed the connection, so no response reaches it.
            guard !Task.isCancelled else { return .page(PageView(.unavailable)) }
            self.repository.emit(.openFailed(error), of: known)
            guard error.kind == .refused else { return .page(self.pages.page(after: error, of: known)) }
            return try await self.refuse(known, error)
        }
        return try await self.send(made, of: known) { login in
            guard !isRecent || login.revision == known.login.revision else { return nil }
            let now = self.repository.now()
            guard case .again(let attempt, let isOwn) = setout else { return login.start(made.attempt, at: now) }
            return login.restart(attempt.id, isOwn: isOwn, at: now)
        }
    }

    /// Stores the authorization start and returns the redirect, or nil if `setOut` does. A backchannel transaction of
    /// this attempt that is already being polled continues.
    private func send(
        _ made: AuthorizationAttemptFactory.NewAttempt, of known: LoginSnapshot,
        _ setOut: (inout Login) -> Login.StartAction?
    ) async throws(LoginFlowError) -> StartOutcome? {
        let changed = try await self.repository.change(known, confirms: true) { login, _ in setOut(&login) }
        guard let changed else { return .page(PageView(.neutral)) }
        switch (changed.action, made.authorizationStart.target) {
        case (.send, .browser(let url)):
            self.pending.open(changed.snapshot.id)
            self.repository.emit(.opened, of: changed.snapshot)
            self.polling.startPolling(made, of: changed.snapshot)
            return .redirect(to: url, made.cookie)
        case (.refuse, _):
            return .page(self.pages.page(.openElsewhere, of: changed.snapshot))
        case (.send, .app), (.show, _):
            return .page(self.pages.page(of: changed.snapshot))
        case (nil, _):
            return nil
        }
    }

    /// Fails the login, because a retry does not help when the broker has refused. A login that may still succeed
    /// through another attempt is left alone.
    private func refuse(_ known: LoginSnapshot, _ failure: BrokerError) async throws(LoginFlowError) -> StartOutcome {
        let changed = try await self.repository.change(known, confirms: true, because: failure) { login, _ in
            login.refuse(failure.reason, at: self.repository.now())
        }
        guard let changed else { return .page(PageView(.neutral)) }
        // Every service responds, but this window's attempt is over. Another window has the one that may succeed.
        guard changed.login.state != .pending else {
            return .page(self.pages.page(.openElsewhere, of: changed.snapshot))
        }
        return .page(self.pages.page(of: changed.snapshot))
    }
}
