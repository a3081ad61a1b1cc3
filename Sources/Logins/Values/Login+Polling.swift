/// What a broker says that is asked how a login goes, instead of telling it by a browser.
import Base
import Brokers

extension Login {
    /// True while an answer to this opening would be taken.
    func awaits(_ opening: [UInt8]) -> Bool {
        self.state == .pending && self.openings.contains { $0.id == opening }
    }

    /// What the person may have to do now.
    mutating func note(_ hint: Hint, of opening: [UInt8]) {
        guard self.awaits(opening), self.hint != hint else { return }
        self.hint = hint
        self.version += 1
    }

    /// The token answer, sealed. `landing` recognises the browser that comes back with nothing but the state.
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

    /// The broker says that nothing will come of this opening.
    mutating func fail(_ reason: Reason, of opening: [UInt8], at now: Timestamp) {
        guard self.awaits(opening), !self.drop(opening, because: reason) else { return }
        self.deny(reason, at: now)
    }

    /// The person is back in the app: now is the time to ask.
    mutating func comeBack() {
        guard self.state == .pending else { return }
        self.returns += 1
    }

    /// The app is in front without a link, as far as it knows: its browser was closed, minimised or killed. Only `next`
    /// changes.
    mutating func loseBrowser() {
        guard self.isOpen, !self.isBrowserGone else { return }
        self.isBrowserGone = true
        self.version += 1
    }
}
