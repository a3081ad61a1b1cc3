// How a login changes when we poll the broker for its result.

import Base
import Brokers

extension Login {
    /// Returns whether a response to this attempt would be taken.
    func awaits(_ attempt: [UInt8]) -> Bool {
        self.state == .pending && self.attempts.contains { $0.id == attempt }
    }

    /// Stores what the user may have to do now.
    mutating func note(_ hint: Hint, of attempt: [UInt8]) {
        guard self.awaits(attempt), self.hint != hint else { return }
        self.hint = hint
        self.version += 1
    }

    /// Takes the token response, encrypted. `landing` recognises the browser that returns with nothing but the state.
    mutating func acceptTokenResponse(
        _ answer: [UInt8], to attempt: [UInt8], landing: [UInt8], by holder: String, at now: Timestamp
    ) -> Exchange? {
        guard self.state == .pending, let liveAttempt = self.attempts.first(where: { $0.id == attempt }) else {
            return nil
        }
        if let response = self.acceptedResponse {
            guard response.attempt == attempt, equalInConstantTime(response.hash, landing) else { return nil }
        } else {
            self.acceptedResponse = AcceptedResponse(attempt: attempt, hash: landing)
        }
        return self.exchange(liveAttempt, code: [], answer: answer, by: holder, at: now)
    }

    /// Fails this attempt, because the broker says that it has no result.
    mutating func fail(_ reason: Reason, of attempt: [UInt8], at now: Timestamp) {
        guard self.awaits(attempt), !self.drop(attempt, because: reason) else { return }
        self.deny(reason, at: now)
    }

    /// Counts a return of the user to the app, because this is the time to poll.
    mutating func noteReturn() {
        guard self.state == .pending else { return }
        self.returns += 1
    }

    /// Notes that the app is in the foreground without a link. As far as the app knows, its browser was closed,
    /// minimised or killed. Only `next` changes.
    mutating func noteBrowserGone() {
        guard self.isOpen, !self.isBrowserGone else { return }
        self.isBrowserGone = true
        self.version += 1
    }
}
