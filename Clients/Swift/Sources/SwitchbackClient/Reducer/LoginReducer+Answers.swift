// What a response changes, and what happens when there is none.

import Foundation

extension LoginReducer {
    mutating func handleResponse(_ number: Int, _ response: HTTPResponse, at now: MonotonicInstant, _ jitter: Double)
        -> [Effect]
    {
        // An abandoned request may still get its response.
        guard let sentRequest = self.sentRequest, sentRequest.number == number else { return [] }
        self.sentRequest = nil
        let storedRecord = self.record
        switch RetryTable.decision(on: response, to: sentRequest.call.kind) {
        case .accept:
            guard let login = Login(response.body, at: now), self.record.login ?? login.id == login.id,
                self.mayFollow(login)
            else {
                let transientError = TransientError.unexpectedResponse(status: response.status)
                return self.retry(transientError, response.retryAfter, at: now, jitter)
            }
            self.complete(sentRequest.call)
            return self.absorb(login, after: sentRequest, storedRecord, at: now)
        case .unchanged:
            self.complete(sentRequest.call)
            self.pace(after: sentRequest, at: now)
            if self.isEnded { self.scheduleRepetition(at: now) }
            return self.presentRecovery() + self.proceed(at: now)
        case .drop:
            self.complete(sentRequest.call)
            self.isAppReopenRequested = false
            return self.store(after: storedRecord) + self.presentRecovery() + self.proceed(at: now)
        case .wrongCode(let triesLeft):
            self.complete(sentRequest.call)
            self.transientError = nil
            let effects = self.login.map { [Effect.present(.wrongCode(triesLeft: triesLeft, $0))] } ?? []
            return effects + self.proceed(at: now)
        case .retry(let transientError):
            return self.retry(transientError, response.retryAfter, at: now, jitter)
        case .wiped:
            self.isOver = true
            return [.forget(self.record.id)]
        case .fail(let error):
            return self.end(error)
        }
    }

    mutating func handleNoResponse(_ number: Int, at now: MonotonicInstant, _ jitter: Double) -> [Effect] {
        guard let sentRequest = self.sentRequest, sentRequest.number == number else { return [] }
        self.sentRequest = nil
        return self.retry(.noResponse, nil, at: now, jitter)
    }

    /// The call has its response, and there was no error.
    private mutating func complete(_ call: Call) {
        self.failures = 0
        self.pausedUntil = nil
        if self.waiting.first == call { self.waiting.removeFirst() }
        if call == .cancel { self.record.isCancelling = false }
        if case .reportReturn(let link?) = call { self.record.links.removeAll { $0 == link } }
    }

    private func store(after before: SavedLogin) -> [Effect] {
        self.record == before ? [] : [.store(self.record)]
    }

    private mutating func absorb(
        _ login: Login, after sentRequest: Sent, _ storedRecord: SavedLogin, at now: MonotonicInstant
    ) -> [Effect] {
        let before = self.login
        self.login = login
        self.validator = login.validator
        self.record.login = login.id
        if !login.reference.isEmpty { self.record.reference = login.reference }
        self.record.returnPrefixes = login.returnPrefixes
        let hasRecovered = self.transientError != nil
        self.transientError = nil
        if login.isFinal {
            self.waiting = []
            self.record.links = []
            self.record.isCancelling = false
            // Without a validator the next poll returns at once, with an assertion that is signed anew.
            self.validator = nil
            self.scheduleRepetition(at: now)
            return self.store(after: storedRecord) + [.present(.finished(login))] + self.proceed(at: now)
        }
        let isNews = before?.version != login.version || hasRecovered
        let newState = self.makeState(of: login, after: sentRequest.call, isNews: isNews)
        if newState == nil { self.pace(after: sentRequest, at: now) }
        if login.poll.after > 0 { self.pausedUntil = max(self.pausedUntil ?? now, now + login.poll.after) }
        return self.store(after: storedRecord) + [newState].compactMap(\.self).map { .present($0) }
            + self.proceed(at: now)
    }

    /// A final login never changes its status.
    private func mayFollow(_ login: Login) -> Bool {
        guard let formerLogin = self.login, formerLogin.isFinal else { return true }
        return formerLogin.status == login.status
    }

    /// The app has the final state. It is repeated until the app says that the result is safe, less often each time.
    private mutating func scheduleRepetition(at now: MonotonicInstant) {
        self.finishedCount += 1
        self.pausedUntil = now + min(60, 15 * Double(1 << min(self.finishedCount - 1, 2)))
    }

    /// Returns the state to report for a login that is not final; nil when there is nothing new.
    private mutating func makeState(of login: Login, after call: Call, isNews: Bool) -> LoginState? {
        // A user who is cancelling must not be sent to a browser.
        guard !self.record.isCancelling else { return isNews ? .inProgress(login, action: nil) : nil }
        if call == .reportReturn(link: nil) {
            if self.takeReopenRequest(), login.next.kind == .openApp {
                _ = self.claimAction(login.next)
                return .inProgress(login, action: login.next)
            }
            // The user closed the browser, or so it seems. It is opened again when the user asks for it.
            if self.pauseIfNeeded(at: login.next) { return .paused(login) }
            self.presentedAction = nil
            self.isBrowserGone = true
        }
        // The e-ID's app sent the user back without a response, and the server has a new link to it.
        if call.kind == .reportReturn, login.next.kind == .openApp, self.presentedAction?.kind == .openApp, isNews {
            _ = self.claimAction(login.next)
            return .paused(login)
        }
        let action = self.claimAction(login.next)
        let isOffer = action == nil && login.next.opensSomething && self.isBrowserGone
        if action != nil || isOffer { self.isBrowserGone = false }
        if isOffer { return .paused(login) }
        return isNews || action != nil ? .inProgress(login, action: action) : nil
    }

    private mutating func takeReopenRequest() -> Bool {
        defer { self.isAppReopenRequested = false }
        return self.isAppReopenRequested
    }

    /// Returns whether the action waits for the user after the browser was closed.
    private mutating func pauseIfNeeded(at next: NextAction) -> Bool {
        switch next.value {
        case .openBrowser, .openApp:
            // Marks it as shown, so that no later poll opens it.
            _ = self.claimAction(next)
            return true
        case .resumeBrowser:
            return self.presentedAction == next
        case .showBrowser, .enterCode, .wait:
            return false
        }
    }

    /// Returns the action that the app has to perform now (rule 2); nil when it was reported before. A browser or an
    /// app is never opened with the same URL twice.
    mutating func claimAction(_ next: NextAction) -> NextAction? {
        switch next.value {
        case .wait:
            self.presentedAction = nil
            return nil
        case .openBrowser(let launch):
            self.presentedAction = next
            return self.markOpened(launch.url) ? next : nil
        case .openApp(let launch):
            self.presentedAction = next
            return self.markOpened(launch.name) ? next : nil
        case .resumeBrowser, .showBrowser, .enterCode:
            guard self.presentedAction != next else { return nil }
            self.presentedAction = next
            return next
        }
    }

    mutating func markOpened(_ name: String) -> Bool {
        guard !self.record.opened.contains(name) else { return false }
        self.record.opened.append(name)
        return true
    }

    /// A response that came too early and brings nothing new must not make the next poll start at once.
    private mutating func pace(after sentRequest: Sent, at now: MonotonicInstant) {
        let interval = Double(self.login?.poll.interval ?? 2)
        guard sentRequest.call == .poll, now.secondsSince(sentRequest.at) < interval else { return }
        self.pausedUntil = sentRequest.at + interval
    }

    private mutating func presentRecovery() -> [Effect] {
        guard self.transientError != nil, !self.isEnded else { return [] }
        self.transientError = nil
        return [.present(self.login.map { .inProgress($0, action: nil) } ?? .starting)]
    }

    private mutating func retry(
        _ transientError: TransientError, _ retryAfter: Double?, at now: MonotonicInstant, _ jitter: Double
    ) -> [Effect] {
        self.failures += 1
        self.pausedUntil = now + Backoff.delay(after: self.failures, retryAfter: retryAfter, jitter: jitter)
        // After the final state the app no longer waits for anything.
        let isNews = self.transientError != transientError && !self.isEnded
        self.transientError = transientError
        return (isNews ? [.present(.retrying(transientError, self.login))] : []) + self.proceed(at: now)
    }

    mutating func end(_ error: LoginError) -> [Effect] {
        self.isOver = true
        let abandonEffects = self.sentRequest.map { [Effect.abandon($0.number)] } ?? []
        // An app gets one final state only, unless the result is lost before the app has it safe.
        let isTold = self.record.isAcknowledged || (self.isEnded && error.kind == .abandoned)
        let stateEffects: [Effect] = isTold ? [] : [.present(.failed(error.with(reference: self.record.reference)))]
        return abandonEffects + [.forget(self.record.id)] + stateEffects
    }
}
