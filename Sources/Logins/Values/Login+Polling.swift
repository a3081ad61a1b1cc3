/// How a login changes when we poll the broker for its result.
import Base
import Brokers

extension Login {
    /// Returns whether a response to this attempt would be taken.
    func awaits(_ opening: [UInt8]) -> Bool {
        self.state == .pending && self.openings.contains { $0.id == opening }
    }

    /// Stores what the user may have to do now.
    mutating func note(_ hint: Hint, of opening: [UInt8]) {
        guard self.awaits(opening), self.hint != hint else { return }
        self.hint = hint
        self.version += 1
    }

    /// Takes the token response, encrypted. `landing` recognises the browser that returns with nothing but the state.
    mutating func takeAnswer(
        _ answer: [UInt8], to opening: [UInt8], landing: [UInt8], at now: Timestamp
    ) -> Exchange? {
        guard self.state == .pending, let opened = self.openings.first(where: { $0.id == opening }) else { return nil }
        if let taken = self.taken {
            guard taken.opening == opening, equalInConstantTime(taken.hash, landing) else { return nil }
        } else {
            self.taken = TakenResponse(opening: opening, hash: landing)
        }
        return self.exchange(opened, code: [], answer: answer, at: now)
    }

    /// Fails this attempt, because the broker says that it has no result.
    mutating func fail(_ reason: Reason, of opening: [UInt8], at now: Timestamp) {
        guard self.awaits(opening), !self.drop(opening, because: reason) else { return }
        self.deny(reason, at: now)
    }

    /// Counts a return of the user to the app, because this is the time to poll.
    mutating func comeBack() {
        guard self.state == .pending else { return }
        self.returns += 1
    }

    /// Notes that the app is in the foreground without a link. As far as the app knows, its browser was closed,
    /// minimised or killed. Only `next` changes.
    mutating func loseBrowser() {
        guard self.isOpen, !self.isBrowserGone else { return }
        self.isBrowserGone = true
        self.version += 1
    }
}
