/// How a login is opened: a browser or an app is sent to the broker.
import Base

extension Login {
    enum OpenAction: Equatable, Sendable {
        /// Send the browser to the broker with this opening.
        case send
        /// There is nothing to open any more: show how it stands.
        case show
        /// Every opening may still be answered in another browser, and there is no room for one more.
        case refuse
    }

    /// With which opening a browser is sent to the broker.
    enum Setout: Equatable, Sendable {
        case new
        /// Its own again, or one that it shares with a browser that the app reports as closed.
        case again(Opening, isOwn: Bool)
        case show
        case refuse
    }

    /// A browser asks where to go. `isOwn` tells whether it has the cookie of an opening.
    ///
    /// A browser that set out before goes on with its opening, so "continue" never uses up another one. A browser without
    /// a cookie gets a new opening while there is room. Then it is refused, unless the app has reported that no browser is
    /// left: private windows keep no cookies, and the person must still get in. It then shares the newest opening, once
    /// for each report, and gets no cookie. An attacker gains nothing from that: what he may learn of the opening (its
    /// state, the switch proof) counts only with the cookie, and a shared opening's cookie does not count.
    func setout(at now: Timestamp, isOwn: (Opening) -> Bool) -> Setout {
        guard self.isAwaitingBrowser(at: now) else { return .show }
        if let own = self.openings.last(where: isOwn) { return .again(own, isOwn: true) }
        guard self.openings.count >= Opening.mostAtOnce else { return .new }
        guard self.isBrowserGone, let newest = self.openings.last else { return .refuse }
        return .again(newest, isOwn: false)
    }

    /// A browser sets out with a new opening.
    mutating func open(_ opening: Opening, at now: Timestamp) -> OpenAction {
        guard self.isAwaitingBrowser(at: now) else { return .show }
        guard self.openings.count < Opening.mostAtOnce else { return .refuse }
        self.openings.append(opening)
        self.isBrowserGone = false
        return .send
    }

    /// A browser sets out again with an opening that is there.
    mutating func openAgain(_ opening: [UInt8], isOwn: Bool, at now: Timestamp) -> OpenAction {
        guard self.isAwaitingBrowser(at: now), let index = self.openings.firstIndex(where: { $0.id == opening }) else {
            return .show
        }
        guard isOwn || self.isBrowserGone else { return .refuse }
        if !isOwn { self.openings[index].isShared = true }
        self.isBrowserGone = false
        return .send
    }

    /// What a person who is back in our app needs to go on in the e-ID's app.
    enum Renewal: Equatable, Sendable {
        /// The link that is there.
        case none
        /// A new link, in place of the one of this opening.
        case make(after: [UInt8])
        /// A new link, for which there is no room.
        case noRoom
    }

    /// `isOld` tells whether the e-ID's app would refuse the link of an opening.
    func renewal(at now: Timestamp, isOld: (Opening) -> Bool) -> Renewal {
        guard self.isAwaitingBrowser(at: now), let newest = self.openings.last, isOld(newest) else { return .none }
        return self.openings.count < Opening.mostAtOnce ? .make(after: newest.id) : .noRoom
    }

    /// The app gets the link of a new opening, unless another call was faster. The openings before it stay: the person may
    /// have opened their links in time, and may still answer.
    mutating func renew(_ opening: Opening, after newest: [UInt8], at now: Timestamp) -> OpenAction {
        guard self.openings.last?.id == newest else { return .show }
        let action = self.open(opening, at: now)
        if action == .send { self.version += 1 }
        return action
    }

    /// Nobody has come back from the broker, and somebody still may.
    private func isAwaitingBrowser(at now: Timestamp) -> Bool {
        self.state == .pending && self.taken == nil && now < self.deadline
    }

    /// The broker refused the request itself, and would refuse it again. Nothing happens while somebody may still come back
    /// from an opening before.
    mutating func refuse(_ reason: Reason, at now: Timestamp) {
        guard self.state == .pending, self.openings.isEmpty else { return }
        self.end(in: .failed(reason, keepUntil: self.keepUntil(from: now)))
    }

    /// The e-ID's app has sent our app back, and its browser on. The same again changes nothing.
    mutating func resume(at sealed: [UInt8], opening: [UInt8]) {
        guard self.state == .pending, self.resume.isEmpty, self.openings.contains(where: { $0.id == opening }) else {
            return
        }
        self.resume = sealed
        self.version += 1
    }
}
