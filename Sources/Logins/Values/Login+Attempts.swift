// How a browser or an app starts an authorization attempt.

import Base

extension Login {
    enum StartAction: Equatable, Sendable {
        /// Send the browser to the broker with this attempt.
        case send
        /// No attempt can start any more. Show the login's status.
        case show
        /// All attempts may still succeed in other browsers, and there is no room for one more.
        case refuse
    }

    /// The attempt with which a browser goes to the broker.
    enum AttemptChoice: Equatable, Sendable {
        case new
        /// An existing attempt: the browser's own, or one shared with a browser that the app reported as closed.
        case again(AuthorizationAttempt, isOwn: Bool)
        case show
        case refuse
    }

    /// Decides where to send a browser. `isOwn` tells whether the browser has the cookie of an attempt.
    ///
    /// A browser that has started an attempt continues it, so "continue" never uses up another one. A browser without a
    /// cookie gets a new attempt while there is room. After that we refuse it, unless the app has reported that its
    /// browser is gone: private windows keep no cookies, and the user must still be able to log in. The browser then
    /// shares the newest attempt, once for each report, and gets no cookie. An attacker gains nothing from this: what
    /// they may learn of the attempt (its state, the switch proof) counts only with the cookie, and the cookie of a
    /// shared attempt does not count.
    func attemptChoice(at now: Timestamp, isOwn: (AuthorizationAttempt) -> Bool) -> AttemptChoice {
        guard self.isAwaitingBrowser(at: now) else { return .show }
        if let own = self.attempts.last(where: isOwn) { return .again(own, isOwn: true) }
        guard self.attempts.count >= AuthorizationAttempt.maxAtOnce else { return .new }
        guard self.isBrowserGone, let newest = self.attempts.last else { return .refuse }
        return .again(newest, isOwn: false)
    }

    /// Starts a new attempt in a browser.
    mutating func start(_ attempt: AuthorizationAttempt, at now: Timestamp) -> StartAction {
        guard self.isAwaitingBrowser(at: now) else { return .show }
        guard self.attempts.count < AuthorizationAttempt.maxAtOnce else { return .refuse }
        self.attempts.append(attempt)
        self.isBrowserGone = false
        return .send
    }

    /// Starts an existing attempt again.
    mutating func restart(_ attempt: [UInt8], isOwn: Bool, at now: Timestamp) -> StartAction {
        guard self.isAwaitingBrowser(at: now), let index = self.attempts.firstIndex(where: { $0.id == attempt }) else {
            return .show
        }
        guard isOwn || self.isBrowserGone else { return .refuse }
        if !isOwn { self.attempts[index].isShared = true }
        self.isBrowserGone = false
        return .send
    }

    /// What a user who has returned to our app needs to continue in the e-ID's app.
    enum Renewal: Equatable, Sendable {
        /// The existing link.
        case none
        /// A new link that replaces the link of this attempt.
        case make(after: [UInt8])
        /// A new link, but there is no room for another attempt.
        case noRoom
    }

    /// Decides whether the link has to be renewed. `isOld` tells whether the e-ID's app would refuse the link of an
    /// attempt.
    func renewal(at now: Timestamp, isOld: (AuthorizationAttempt) -> Bool) -> Renewal {
        guard self.isAwaitingBrowser(at: now), let newest = self.attempts.last, isOld(newest) else { return .none }
        return self.attempts.count < AuthorizationAttempt.maxAtOnce ? .make(after: newest.id) : .noRoom
    }

    /// Adds a new attempt for the app, unless another call was faster. The earlier attempts stay: the user may have
    /// opened their links in time and may still complete them.
    mutating func renew(_ attempt: AuthorizationAttempt, after newest: [UInt8], at now: Timestamp) -> StartAction {
        guard self.attempts.last?.id == newest else { return .show }
        let action = self.start(attempt, at: now)
        if action == .send { self.version += 1 }
        return action
    }

    /// Whether no browser has returned from the broker and one still may.
    private func isAwaitingBrowser(at now: Timestamp) -> Bool {
        self.state == .pending && self.acceptedResponse == nil && now < self.deadline
    }

    /// Fails the login, because the broker refused the request itself and would refuse it again. Does nothing while an
    /// earlier attempt may still succeed.
    mutating func refuse(_ reason: Reason, at now: Timestamp) {
        guard self.state == .pending, self.attempts.isEmpty else { return }
        self.end(in: .failed(reason, keepUntil: self.keepUntil(from: now)))
    }

    /// Stores where the browser continues after the e-ID's app has sent the user back to our app. A repeated call
    /// changes nothing.
    mutating func resume(at sealed: [UInt8], attempt: [UInt8]) {
        guard self.state == .pending, self.resume.isEmpty, self.attempts.contains(where: { $0.id == attempt }) else {
            return
        }
        self.resume = sealed
        self.version += 1
    }
}
