/// What an answer changes, or that there is none.
import Foundation

extension LoginReducer {
    mutating func takeAnswer(_ number: Int, _ response: HTTPResponse, at now: Moment, _ chance: Double)
        -> [Effect]
    {
        // One that was given up may be answered all the same.
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

    /// The call is answered, and made no trouble.
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
            // Without it the next poll asks how the login stands, and gets an assertion that is signed anew.
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

    /// A final login stays as it is.
    private func mayFollow(_ login: Login) -> Bool {
        guard let known = self.login, known.isFinal else { return true }
        return known.status == login.status
    }

    /// The end was told. It is told again while the app does not say that it has it safe, less often each time.
    private mutating func awaitRepetition(at now: Moment) {
        self.endings += 1
        self.pause = now + min(60, 15 * Double(1 << min(self.endings - 1, 2)))
    }

    /// What the app is told of a login that goes on; nil when it knows.
    private mutating func told(of login: Login, after call: Call, isNews: Bool, isFirst: Bool) -> LoginState? {
        // Nobody is sent away who is giving up.
        guard !self.waiting.contains(.cancel) else { return isNews ? .underWay(login, todo: nil) : nil }
        if call == .comeBack(link: nil) {
            if self.takesReopening(), case .openApp = login.next {
                _ = self.todo(login.next)
                return .underWay(login, todo: login.next)
            }
            // The person closed the browser, or seems to have: it is opened again when the person says so.
            if self.pauses(at: login.next) { return .paused(login) }
            self.shown = nil
        }
        // The e-ID's app sent the person back without an answer, and the server has a new link to it.
        if call.kind == .comeBack, case .openApp = login.next, case .openApp? = self.shown, isNews {
            _ = self.todo(login.next)
            return .paused(login)
        }
        let todo = self.todo(login.next)
        // A link brought a new process nothing but itself: what was opened before may be gone with the old one.
        if isFirst, todo == nil, login.next.opensSomething { return .paused(login) }
        return isNews || todo != nil ? .underWay(login, todo: todo) : nil
    }

    private mutating func takesReopening() -> Bool {
        defer { self.reopensApp = false }
        return self.reopensApp
    }

    /// Whether what there is to do waits for the person's word, once the browser was closed.
    private mutating func pauses(at next: NextAction) -> Bool {
        switch next {
        case .openBrowser, .openApp:
            // Told by the pause, so that no poll opens it.
            _ = self.todo(next)
            return true
        case .resumeBrowser:
            return self.shown == next
        case .showBrowser, .enterCode, .wait:
            return false
        }
    }

    /// Rule 2: what the app has to do now and was not told before. A browser or an app is never opened with the same URL twice.
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

    /// An answer that came sooner than it should have, and says nothing new, must not be a reason to ask at once.
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
        // Once the end has been told, the app has nobody to wait for.
        let isNews = self.trouble != trouble && !self.isEnded
        self.trouble = trouble
        return (isNews ? [.present(.troubled(trouble, self.login))] : []) + self.proceed(at: now)
    }

    mutating func end(_ error: LoginError) -> [Effect] {
        self.isOver = true
        let abandoned = self.sent.map { [Effect.abandon($0.number)] } ?? []
        // We tell an app one end only, unless the result has gone before the app had it safe.
        let isTold = self.record.isAcknowledged || (self.isEnded && error == .givenUp)
        let told: [Effect] = isTold ? [] : [.present(.failed(error))]
        return abandoned + [.forget(self.record.id)] + told
    }
}
