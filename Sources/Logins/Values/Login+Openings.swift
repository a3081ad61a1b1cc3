/// How a browser or an app starts an authorization attempt.
import Base

extension Login {
    enum OpenAction: Equatable, Sendable {
        /// Send the browser to the broker with this attempt.
        case send
        /// No attempt can start any more. Show the login's status.
        case show
        /// All attempts may still succeed in other browsers, and there is no room for one more.
        case refuse
    }

    /// The attempt with which a browser goes to the broker.
    enum Setout: Equatable, Sendable {
        case new
        /// An existing attempt: the browser's own, or one shared with a browser that the app reported as closed.
        case again(Opening, isOwn: Bool)
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
    func setout(at now: Timestamp, isOwn: (Opening) -> Bool) -> Setout {
        guard self.isAwaitingBrowser(at: now) else { return .show }
        if let own = self.openings.last(where: isOwn) { return .again(own, isOwn: true) }
        guard self.openings.count >= Opening.mostAtOnce else { return .new }
        guard self.isBrowserGone, let newest = self.openings.last else { return .refuse }
        return .again(newest, isOwn: false)
    }

    /// Starts a new attempt in a browser.
    mutating func open(_ opening: Opening, at now: Timestamp) -> OpenAction {
        guard self.isAwaitingBrowser(at: now) else { return .show }
        guard self.openings.count < Opening.mostAtOnce else { return .refuse }
        self.openings.append(opening)
        self.isBrowserGone = false
        return .send
    }

    /// Starts an existing attempt again.
    mutating func openAgain(_ opening: [UInt8], isOwn: Bool, at now: Timestamp) -> OpenAction {
        guard self.isAwaitingBrowser(at: now), let index = self.openings.firstIndex(where: { $0.id == opening }) else {
            return .show
        }
        guard isOwn || self.isBrowserGone else { return .refuse }
        if !isOwn { self.openings[index].isShared = true }
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
    func renewal(at now: Timestamp, isOld: (Opening) -> Bool) -> Renewal {
        guard self.isAwaitingBrowser(at: now), let newest = self.openings.last, isOld(newest) else { return .none }
        return self.openings.count < Opening.mostAtOnce ? .make(after: newest.id) : .noRoom
    }

    /// Adds a new attempt for the app, unless another call was faster. The earlier attempts stay: the user may have
    /// opened their links in time and may still complete them.
    mutating func renew(_ opening: Opening, after newest: [UInt8], at now: Timestamp) -> OpenAction {
        guard self.openings.last?.id == newest else { return .show }
        let action = self.open(opening, at: now)
        if action == .send { self.version += 1 }
        return action
    }

    /// Whether no browser has returned from the broker and one still may.
    private func isAwaitingBrowser(at now: Timestamp) -> Bool {
        self.state == .pending && self.taken == nil && now < self.deadline
    }

    /// Fails the login, because the broker refused the request itself and would refuse it again. Does nothing while an
    /// earlier attempt may still succeed.
    mutating func refuse(_ reason: Reason, at now: Timestamp) {
        guard self.state == .pending, self.openings.isEmpty else { return }
        self.end(in: .failed(reason, keepUntil: self.keepUntil(from: now)))
    }

    /// Stores where the browser continues after the e-ID's app has sent the user back to our app. A repeated call
    /// changes nothing.
    mutating func resume(at sealed: [UInt8], opening: [UInt8]) {
        guard self.state == .pending, self.resume.isEmpty, self.openings.contains(where: { $0.id == opening }) else {
            return
        }
        self.resume = sealed
        self.version += 1
    }
}
