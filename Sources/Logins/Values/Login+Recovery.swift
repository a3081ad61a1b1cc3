/// Recovery of a login whose holder was killed. Another process takes over and sends the code at most once more.
import Base

extension Login {
    enum Recovery: Equatable, Sendable {
        /// There is nothing to recover.
        case nothing
        /// Continue with this exchange. Exactly one caller gets this action.
        case exchange(Exchange)
        /// Continue with the backchannel transactions of these attempts.
        case walk([Opening])
        /// The login cannot succeed any more.
        case ended
    }

    /// Decides how to continue. An exchange continues from the stored token response, or with the code while it may
    /// still be valid: a broker that sees a spent code again may revoke the tokens it issued for it (RFC 6749 §4.1.2).
    /// `isHeld` tells that the holder is alive and just could not write its result.
    mutating func recover(codeLifetime: Duration, isHeld: Bool = false, at now: Timestamp) -> Recovery {
        switch self.state {
        case .pending:
            let left = self.openings.filter { $0.walkedUntil.map { $0 <= now } ?? false }
            for opening in left { self.walk(opening.id, until: now + Login.lease) }
            return left.isEmpty ? .nothing : .walk(left)
        case .exchanging(let exchange):
            guard now >= exchange.leaseUntil else { return .nothing }
            if isHeld {
                self.state = .exchanging(exchange.held(until: now + Login.lease))
                return .nothing
            }
            guard exchange.canGoOn(codeLifetime: codeLifetime, at: now) else {
                self.end(in: .failed(.interrupted, keepUntil: self.keepUntil(from: now)))
                return .ended
            }
            let next = exchange.taken(until: now + Login.lease)
            self.state = .exchanging(next)
            return .exchange(next)
        case .awaitingReturn, .completed, .failed, .cancelled, .expired, .gone:
            return .nothing
        }
    }

    /// Counts another try of the code, before the holder with this fencing token sends it. Returns false if the code
    /// may not be sent again, or if another holder has taken over.
    mutating func tryAgain(fence: Int) -> Bool {
        guard case .exchanging(var exchange) = self.state, exchange.fence == fence, exchange.canBeTried else {
            return false
        }
        exchange.tries += 1
        self.state = .exchanging(exchange)
        return true
    }

    /// Sets the lease of the process that polls for this attempt.
    mutating func walk(_ opening: [UInt8], until: Timestamp) {
        for index in self.openings.indices where self.openings[index].id == opening {
            self.openings[index].walkedUntil = until
        }
    }

    /// Extends the lease, but writes only when a renewal is due.
    mutating func keepWalking(_ opening: [UInt8], at now: Timestamp) {
        let until = self.openings.first { $0.id == opening }?.walkedUntil
        guard let until, until - now <= Login.lease - Login.renewal else { return }
        self.walk(opening, until: now + Login.lease)
    }
}

extension Login.Exchange {
    /// A broker may take a repeated code for an attack, and a third try would tell us nothing new.
    private static let mostTries = 2
    /// Limits the takeovers: whatever killed one process may kill each process that takes over.
    private static let mostHolders = 8

    fileprivate var canBeTried: Bool { self.answer == nil && self.tries < Self.mostTries }

    fileprivate func canGoOn(codeLifetime: Duration, at now: Timestamp) -> Bool {
        guard self.fence < Self.mostHolders else { return false }
        return self.answer != nil || (self.canBeTried && now - self.takenAt < codeLifetime)
    }

    /// Extends the exchange for the same holder by a lease. The code is used up and must not be sent again.
    fileprivate func held(until: Timestamp) -> Login.Exchange {
        Login.Exchange(
            opening: self.opening, openedAt: self.openedAt, takenAt: self.takenAt, fence: self.fence,
            tries: Self.mostTries, leaseUntil: until, flight: self.flight, code: self.code, answer: self.answer)
    }

    /// Hands the exchange to the next holder. Failures of the previous holder no longer count.
    fileprivate func taken(until: Timestamp) -> Login.Exchange {
        Login.Exchange(
            opening: self.opening, openedAt: self.openedAt, takenAt: self.takenAt, fence: self.fence + 1,
            tries: self.tries, leaseUntil: until, flight: self.flight, code: self.code, answer: self.answer)
    }
}
