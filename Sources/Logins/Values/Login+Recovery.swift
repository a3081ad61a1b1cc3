/// What becomes of a login whose holder is gone: its process was killed. Another takes over, and a code is sent once more at most.
import Base

extension Login {
    enum Recovery: Equatable, Sendable {
        /// Nobody has left anything.
        case nothing
        /// Go on with this exchange. Exactly one caller gets this.
        case exchange(Exchange)
        /// Go on with the trips of these openings.
        case walk([Opening])
        /// Nothing can come of it any more.
        case ended
    }

    /// An exchange goes on from the stored token answer, or with the code while it may still be good: a broker that sees
    /// a spent code again may take back what it gave for it (RFC 6749 §4.1.2). `isHeld` says that its holder is still there,
    /// and could only not write what it knows.
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

    /// The code is about to be sent again by the holder of this fence. False when it has been already, or another one goes on.
    mutating func tryAgain(fence: Int) -> Bool {
        guard case .exchanging(var exchange) = self.state, exchange.fence == fence, exchange.canBeTried else {
            return false
        }
        exchange.tries += 1
        self.state = .exchanging(exchange)
        return true
    }

    /// Whoever walks the trip of this opening is there, and will be until then.
    mutating func walk(_ opening: [UInt8], until: Timestamp) {
        for index in self.openings.indices where self.openings[index].id == opening {
            self.openings[index].walkedUntil = until
        }
    }

    /// The same, in a write only when it is time for one.
    mutating func keepWalking(_ opening: [UInt8], at now: Timestamp) {
        let until = self.openings.first { $0.id == opening }?.walkedUntil
        guard let until, until - now <= Login.lease - Login.renewal else { return }
        self.walk(opening, until: now + Login.lease)
    }
}

extension Login.Exchange {
    /// A broker may take the same code for an attack, and a third time tells nobody anything.
    private static let mostTries = 2
    /// What ends one process may end every process that goes on with it.
    private static let mostHolders = 8

    fileprivate var canBeTried: Bool { self.answer == nil && self.tries < Self.mostTries }

    fileprivate func canGoOn(codeLifetime: Duration, at now: Timestamp) -> Bool {
        guard self.fence < Self.mostHolders else { return false }
        return self.answer != nil || (self.canBeTried && now - self.takenAt < codeLifetime)
    }

    /// For the same holder, for longer than the broker is given: the code is spent, and must not be sent again.
    fileprivate func held(until: Timestamp) -> Login.Exchange {
        Login.Exchange(
            opening: self.opening, openedAt: self.openedAt, takenAt: self.takenAt, fence: self.fence,
            tries: Self.mostTries, leaseUntil: until, flight: self.flight, code: self.code, answer: self.answer)
    }

    /// For the next holder; what the one before still fails at does not count any more.
    fileprivate func taken(until: Timestamp) -> Login.Exchange {
        Login.Exchange(
            opening: self.opening, openedAt: self.openedAt, takenAt: self.takenAt, fence: self.fence + 1,
            tries: self.tries, leaseUntil: until, flight: self.flight, code: self.code, answer: self.answer)
    }
}
