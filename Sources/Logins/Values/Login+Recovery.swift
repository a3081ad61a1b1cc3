/// What becomes of a login whose holder is gone: its process was killed. Another takes over, and does it once.
import JOSE

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
                self.state = .exchanging(exchange.taken(until: now + Login.lease))
                return .nothing
            }
            let takenAt = exchange.leaseUntil - Login.lease
            guard exchange.fence == 1, exchange.answer != nil || now - takenAt < codeLifetime else {
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

extension Exchange {
    /// For the next holder; what the one before still fails at does not count any more.
    fileprivate func taken(until: Timestamp) -> Exchange {
        Exchange(
            opening: self.opening, openedAt: self.openedAt, fence: self.fence + 1, leaseUntil: until,
            flight: self.flight, code: self.code, answer: self.answer)
    }
}
