import Base
import Brokers
import OpenIDConnect

/// The response to a browser that opened our link.
package enum StartOutcome: Equatable, Sendable {
    /// Redirect the browser to the broker and set its cookie.
    case redirect(to: String, AttemptCookie?)
    /// The browser has already delivered the authorization response: send it to its destination again.
    case redirectBack(BrowserDestination)
    case page(PageView)
}

extension LoginFlow {
    /// Sends a browser that opened the `/go` link to the broker: to start the login, to continue it, or to see its page
    /// again.
    package func startAuthorization(
        _ startToken: String, languages: [String], cookies: [Parameter] = [],
        by caller: ClientContext = ClientContext()
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
            guard let snapshot = try await self.repository.read(id),
                let outcome = try await self.start(snapshot, isRecent: false, languages, cookies, by: caller)
            else { return .page(PageView(.neutral)) }
            return outcome
        } catch {
            return .page(PageView(.unavailable))
        }
    }

    /// Returns nil if the login `isRecent` and may have changed since.
    private func start(
        _ snapshot: LoginSnapshot, isRecent: Bool, _ languages: [String], _ cookies: [Parameter],
        by caller: ClientContext
    ) async throws(LoginFlowError) -> StartOutcome? {
        if let response = snapshot.login.acceptedResponse,
            AttemptCookie(snapshot.id, response, under: snapshot.key).isAmong(cookies)
        {
            return .redirectBack(snapshot.destination(after: response, hasCookie: true))
        }
        let isBack = AttemptCookie.isAnyOfReturn(
            cookies, to: snapshot.id, pageCode: snapshot.login.pageCode, under: snapshot.key)
        if isBack { return .page(self.pages.page(of: snapshot, for: .returned)) }
        let opensApp = snapshot.provider?.opensApp ?? false
        guard !opensApp else { return .page(self.pages.page(of: snapshot)) }
        let choice = snapshot.login.attemptChoice(at: self.repository.now()) { attempt in
            AttemptCookie(snapshot.id, attempt: attempt.id, under: snapshot.key).isAmong(cookies)
        }
        guard choice == .new || !isRecent else { return nil }
        return try await self.startAttempt(snapshot, choice, isRecent: isRecent, languages, by: caller)
    }

    private func startAttempt(
        _ snapshot: LoginSnapshot, _ choice: Login.AttemptChoice, isRecent: Bool, _ languages: [String],
        by caller: ClientContext
    ) async throws(LoginFlowError) -> StartOutcome? {
        switch choice {
        case .new where snapshot.login.attempts.isEmpty && self.repository.isOff(snapshot.login.provider):
            // A login that is only recent may have ended.
            guard !isRecent else { return nil }
            self.repository.emit(.openFailed(BrokerError(.notAsked, .providerOff)), of: snapshot)
            return .page(self.pages.page(.providerOff, of: snapshot))
        case .new, .again:
            do throws(LoginFlowError) {
                try caller.spend(.attempt(of: snapshot.id, isFirst: snapshot.login.attempts.isEmpty))
            } catch {
                return .page(self.pages.page(after: error, of: snapshot))
            }
        case .refuse: return .page(self.pages.page(.openElsewhere, of: snapshot))
        case .show: return .page(self.pages.page(of: snapshot))
        }
        let newAttempt: AuthorizationAttemptFactory.NewAttempt
        do throws(BrokerError) {
            if case .again(let attempt, let isOwn) = choice {
                newAttempt = try await self.attempts.remake(attempt, isOwn: isOwn, of: snapshot, languages: languages)
            } else {
                newAttempt = try await self.attempts.make(of: snapshot, for: .browser(languages: languages))
            }
        } catch {
            // The browser has closed the connection, so no response reaches it.
            guard !Task.isCancelled else { return .page(PageView(.unavailable)) }
            self.repository.emit(.openFailed(error), of: snapshot)
            guard error.kind == .refused else { return .page(self.pages.page(after: error, of: snapshot)) }
            return try await self.refuse(snapshot, error)
        }
        return try await self.send(newAttempt, of: snapshot) { login in
            guard !isRecent || login.revision == snapshot.login.revision else { return nil }
            let now = self.repository.now()
            guard case .again(let attempt, let isOwn) = choice else { return login.start(newAttempt.attempt, at: now) }
            return login.restart(attempt.id, isOwn: isOwn, at: now)
        }
    }

    /// Stores the authorization start and returns the redirect, or nil if `transition` does. A backchannel transaction of
    /// this attempt that is already being polled continues.
    private func send(
        _ newAttempt: AuthorizationAttemptFactory.NewAttempt, of snapshot: LoginSnapshot,
        _ transition: (inout Login) -> Login.StartAction?
    ) async throws(LoginFlowError) -> StartOutcome? {
        let change = try await self.repository.change(snapshot, confirms: true) { login, _ in transition(&login) }
        guard let change else { return .page(PageView(.neutral)) }
        switch (change.action, newAttempt.authorizationStart.target) {
        case (.send, .browser(let url)):
            self.pending.open(change.snapshot.id)
            self.repository.emit(.opened, of: change.snapshot)
            self.polling.startPolling(newAttempt, of: change.snapshot)
            return .redirect(to: url, newAttempt.cookie)
        case (.refuse, _):
            return .page(self.pages.page(.openElsewhere, of: change.snapshot))
        case (.send, .app), (.show, _):
            return .page(self.pages.page(of: change.snapshot))
        case (nil, _):
            return nil
        }
    }

    /// Fails the login, because a retry does not help when the broker has refused. A login that may still succeed
    /// through another attempt is left alone.
    private func refuse(_ snapshot: LoginSnapshot, _ failure: BrokerError) async throws(LoginFlowError) -> StartOutcome
    {
        let change = try await self.repository.change(snapshot, confirms: true, because: failure) { login, _ in
            login.refuse(failure.reason, at: self.repository.now())
        }
        guard let change else { return .page(PageView(.neutral)) }
        // Every service responds, but this window's attempt is over. Another window has the one that may succeed.
        guard change.login.state != .pending else {
            return .page(self.pages.page(.openElsewhere, of: change.snapshot))
        }
        return .page(self.pages.page(of: change.snapshot))
    }
}
