// How a login ends without the broker: the app cancels or acknowledges it, or its time is over.

import Base

extension Login {
    enum CancelAction: Equatable, Sendable {
        case cancelled
        /// The login was final already. The app gets it unchanged.
        case unchanged
        /// A code is being redeemed. Wait for the outcome first.
        case wait
    }

    /// Cancels the login. `force` also ends an exchange; a success that arrives later is dropped.
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

    /// Wipes the result, because the app has stored it.
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

    /// Applies what is due by time. Returns false if nothing is due. A `gone` login that is due may be removed.
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

    /// Anyone can create logins that no browser returns to, so those get a shorter tombstone. The response that was
    /// taken stays, because it recognises the browser of the done page. We only ever kept its hash.
    private mutating func forget(at now: Timestamp, isAcknowledged: Bool) {
        let status = TombstoneStatus(self.state, isAcknowledged: isAcknowledged) ?? .expired
        let until = now + (self.acceptedResponse == nil ? .milliseconds(self.resultTTL) : Login.tombstoneLifetime)
        self.end(in: .gone(status, until: until))
    }

    /// Ends a login that no browser has opened, to make room. An app that polls soon learns that it is gone. Returns
    /// false if a browser has opened it after all.
    mutating func dropUnstarted(at now: Timestamp) -> Bool {
        guard self.state == .pending, self.attempts.isEmpty, self.acceptedResponse == nil else { return false }
        self.end(in: .gone(.expired, until: now + Login.unstartedTombstoneLifetime))
        return true
    }
}
