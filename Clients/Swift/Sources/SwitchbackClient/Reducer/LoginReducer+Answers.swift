/// What a response changes, and what happens when there is none.
import Foundation

extension LoginReducer {
    mutating func takeAnswer(_ number: Int, _ response: HTTPResponse, at now: Moment, _ chance: Double)
        -> [Effect]
    {
        // An abandoned request may still get its response.
        guard let sent = self.sent, sent.number == number else { return [] }
        self.sent = nil
        let stored = self.record
        switch RetryTable.verdict(on: response, to: sent.call.kind) {
        case .take:
            guard let login = Login(response.body, at: now), self.record.login ?? login.id == login.id,
                self.mayFollow(login)
            else {
                let trouble = Trouble.notUnderstood(status: response.status)
                return self.askAgain(trouble, response.retryAfter, at: now, chance)
            }
            self.conclude(sent.call)
            return self.absorb(login, etag: response["ETag"], after: sent, stored, at: now)
        case .unchanged:
            self.conclude(sent.call)
            self.pace(after: sent, at: now)
            if self.isEnded { self.awaitRepetition(at: now) }
            return self.tellOfRecovery() + self.proceed(at: now)
        case .drop:
            self.conclude(sent.call)
            self.reopensApp = false
            return self.store(after: stored) + self.tellOfRecovery() + self.proceed(at: now)
        case .wrongCode(let triesLeft):
            self.conclude(sent.call)
            self.trouble = nil
            let told = self.login.map { [Effect.present(.wrongCode(triesLeft: triesLeft, $0))] } ?? []
            return told + self.proceed(at: now)
        case .again(let trouble):
            return self.askAgain(trouble, response.retryAfter, at: now, chance)
        case .wiped:
            self.isOver = true
            return [.forget(self.record.id)]
        case .end(let error):
            return self.end(error)
        }
    }

    mutating func takeSilence(_ number: Int, at now: Moment, _ chance: Double) -> [Effect] {
        guard let sent = self.sent, sent.number == number else { return [] }
        self.sent = nil
        return self.askAgain(.noAnswer, nil, at: now, chance)
    }

    /// The call has its response, and there was no error.
    private mutating func conclude(_ call: Call) {
        self.failures = 0
        self.pause = nil
        if self.waiting.first == call { self.waiting.removeFirst() }
        if case .comeBack(let link?) = call { self.record.links.removeAll { $0 == link } }
    }

    private func store(after before: OpenLogin) -> [Effect] {
        self.record == before ? [] : [.store(self.record)]
    }

    private mutating func absorb(
        _ login: Login, etag: String?, after sent: Sent, _ stored: OpenLogin, at now: Moment
    ) -> [Effect] {
        let before = self.login
        self.login = login
        self.etag = etag
        self.record.login = login.id
        self.record.returnPrefixes = login.returnPrefixes
        let recovered = self.trouble != nil
        self.trouble = nil
        if login.isFinal {
            self.waiting = []
            self.record.links = []
            // Without an ETag the next poll returns at once, with an assertion that is signed anew.
            self.etag = nil
            self.awaitRepetition(at: now)
            return self.store(after: stored) + [.present(.ended(login))] + self.proceed(at: now)
        }
        let isNews = before?.version != login.version || recovered
        let told = self.told(of: login, after: sent.call, isNews: isNews, isFirst: before == nil)
        if told == nil { self.pace(after: sent, at: now) }
        if login.poll.after > 0 { self.pause = max(self.pause ?? now, now + login.poll.after) }
        return self.store(after: stored) + [told].compactMap(\.self).map { .present($0) } + self.proceed(at: now)
    }

    /// A final login never changes its status.
    private func mayFollow(_ login: Login) -> Bool {
        guard let known = self.login, known.isFinal else { return true }
        return known.status == login.status
    }

    /// The app has the final state. It is repeated until the app says that the result is safe, less often each time.
    private mutating func awaitRepetition(at now: Moment) {
        self.endings += 1
        self.pause = now + min(60, 15 * Double(1 << min(self.endings - 1, 2)))
    }

    /// Returns the state to report for a login that is not final; nil when there is nothing new.
    private mutating func told(of login: Login, after call: Call, isNews: Bool, isFirst: Bool) -> LoginState? {
        // A user who is cancelling must not be sent to a browser.
        guard !self.waiting.contains(.cancel) else { return isNews ? .underWay(login, todo: nil) : nil }
        if call == .comeBack(link: nil) {
            if self.takesReopening(), case .openApp = login.next {
                _ = self.todo(login.next)
                return .underWay(login, todo: login.next)
            }
            // The user closed the browser, or so it seems. It is opened again when the user asks for it.
            if self.pauses(at: login.next) { return .paused(login) }
            self.shown = nil
        }
        // The e-ID's app sent the user back without a response, and the server has a new link to it.
        if call.kind == .comeBack, case .openApp = login.next, case .openApp? = self.shown, isNews {
            _ = self.todo(login.next)
            return .paused(login)
        }
        let todo = self.todo(login.next)
        // A link started this new process. What the killed process had opened may be gone.
        if isFirst, todo == nil, login.next.opensSomething { return .paused(login) }
        return isNews || todo != nil ? .underWay(login, todo: todo) : nil
    }

    private mutating func takesReopening() -> Bool {
        defer { self.reopensApp = false }
        return self.reopensApp
    }

    /// Returns whether the action waits for the user after the browser was closed.
    private mutating func pauses(at next: NextAction) -> Bool {
        switch next {
        case .openBrowser, .openApp:
            // Marks it as shown, so that no later poll opens it.
            _ = self.todo(next)
            return true
        case .resumeBrowser:
            return self.shown == next
        case .showBrowser, .enterCode, .wait:
            return false
        }
    }

    /// Returns the action that the app has to perform now (rule 2); nil when it was reported before. A browser or an
    /// app is never opened with the same URL twice.
    mutating func todo(_ next: NextAction) -> NextAction? {
        switch next {
        case .wait:
            self.shown = nil
            return nil
        case .openBrowser(let opening):
            self.shown = next
            return self.opensFirst(opening.url) ? next : nil
        case .openApp(let opening):
            self.shown = next
            return self.opensFirst(opening.name) ? next : nil
        case .resumeBrowser, .showBrowser, .enterCode:
            guard self.shown != next else { return nil }
            self.shown = next
            return next
        }
    }

    mutating func opensFirst(_ name: String) -> Bool {
        guard !self.record.opened.contains(name) else { return false }
        self.record.opened.append(name)
        return true
    }

    /// A response that came too early and brings nothing new must not make the next poll start at once.
    private mutating func pace(after sent: Sent, at now: Moment) {
        let interval = Double(self.login?.poll.interval ?? 2)
        guard sent.call == .poll, now.secondsSince(sent.at) < interval else { return }
        self.pause = sent.at + interval
    }

    private mutating func tellOfRecovery() -> [Effect] {
        guard self.trouble != nil, !self.isEnded else { return [] }
        self.trouble = nil
        return [.present(self.login.map { .underWay($0, todo: nil) } ?? .starting)]
    }

    private mutating func askAgain(
        _ trouble: Trouble, _ retryAfter: Double?, at now: Moment, _ chance: Double
    ) -> [Effect] {
        self.failures += 1
        self.pause = now + Backoff.delay(after: self.failures, retryAfter: retryAfter, chance: chance)
        // After the final state the app no longer waits for anything.
        let isNews = self.trouble != trouble && !self.isEnded
        self.trouble = trouble
        return (isNews ? [.present(.troubled(trouble, self.login))] : []) + self.proceed(at: now)
    }

    mutating func end(_ error: LoginError) -> [Effect] {
        self.isOver = true
        let abandoned = self.sent.map { [Effect.abandon($0.number)] } ?? []
        // An app gets one final state only, unless the result is lost before the app has it safe.
        let isTold = self.record.isAcknowledged || (self.isEnded && error == .givenUp)
        let told: [Effect] = isTold ? [] : [.present(.failed(error))]
        return abandoned + [.forget(self.record.id)] + told
    }
}
