/// How a login ends without the broker: the app cancels or acknowledges, or time passes.
import Base

extension Login {
    enum CancelAction: Equatable, Sendable {
        case cancelled
        /// It was final already; the app gets it as it is.
        case unchanged
        /// A code is being redeemed: wait for the outcome first.
        case wait
    }

    /// The app gives up. `force` ends an exchange too; a success that comes later is dropped.
    mutating func cancel(force: Bool, at now: Timestamp) -> CancelAction {
        switch self.state {
        case .exchanging where !force:
            return .wait
        case .pending, .exchanging, .awaitingReturn:
            self.end(in: .cancelled(.appCancelled, keepUntil: self.keepUntil(from: now)))
            return .cancelled
        case .completed, .failed, .cancelled, .expired, .gone:
            return .unchanged
        }
    }

    enum AcknowledgeAction: Equatable, Sendable {
        case wiped
        case alreadyGone
        case notFinal
    }

    /// The app has the result and needs it no more.
    mutating func acknowledge(at now: Timestamp) -> AcknowledgeAction {
        switch self.state {
        case .pending, .exchanging, .awaitingReturn:
            return .notFinal
        case .completed, .failed, .cancelled, .expired:
            self.forget(at: now, isAcknowledged: true)
            return .wiped
        case .gone:
            return .alreadyGone
        }
    }

    /// Does what time alone does. False when nothing is due; a `gone` login that is due may be removed.
    mutating func lapse(at now: Timestamp) -> Bool {
        guard now >= self.lapsesAt else { return false }
        switch self.state {
        case .pending, .exchanging, .awaitingReturn:
            self.end(in: .expired(keepUntil: self.keepUntil(from: self.lapsesAt)))
            return true
        case .completed, .failed, .cancelled, .expired:
            self.forget(at: self.lapsesAt, isAcknowledged: false)
            return true
        case .gone:
            return false
        }
    }

    /// Strangers can make any number of logins that nobody comes back to, so those are not remembered for long. The response
    /// that was taken stays, because it recognises the browser whose page this is. Only its hash was ever kept.
    private mutating func forget(at now: Timestamp, isAcknowledged: Bool) {
        let ending = Ending(self.state, isAcknowledged: isAcknowledged) ?? .expired
        let until = now + (self.taken == nil ? .milliseconds(self.resultTTL) : Login.goneFor)
        self.end(in: .gone(ending, until: until))
    }

    /// Nobody has opened it, and its room is wanted. Its app is told that it is gone, if it asks soon.
    mutating func dropUnopened(at now: Timestamp) {
        guard self.state == .pending, self.openings.isEmpty, self.taken == nil else { return }
        self.end(in: .gone(.expired, until: now + Login.unopenedKeptFor))
    }
}
