/// What the exchange of a code does to a login.
import Base

extension Login {
    /// An exchange of a code that is under way.
    struct Exchange: Equatable, Sendable {
        let opening: [UInt8]
        let openedAt: Timestamp
        let takenAt: Timestamp
        /// Raised whenever another holder takes over; a failure counts only from the current one.
        let fence: Int
        /// How often the code may have been sent: written before it is, so that a holder who is killed cannot hide it.
        var tries = 1
        let leaseUntil: Timestamp
        /// The opening's nonce and verifier, sealed.
        let flight: [UInt8]
        /// The code, sealed.
        let code: [UInt8]
        /// The token answer, sealed; kept before the userinfo is asked, because a code is spent by then.
        var answer: [UInt8]?
    }
}

/// A sealed identity and what stands outside the seal.
struct Outcome: Equatable, Sendable {
    let sealed: [UInt8]
    let proof: Proof
    let keepUntil: Timestamp
}

extension Login {
    /// Keeps the token answer before the userinfo is asked. False when the exchange is not this holder's any more.
    mutating func keepAnswer(_ sealed: [UInt8], fence: Int) -> Bool {
        guard case .exchanging(var exchange) = self.state, exchange.fence == fence else { return false }
        exchange.answer = sealed
        self.state = .exchanging(exchange)
        return true
    }

    enum SettleAction: Equatable, Sendable {
        case ended
        /// It was over before, or another holder goes on: the outcome is dropped.
        case drop
    }

    /// The proof that its result is released for; nil while it is missing.
    var proven: Proof? {
        if self.release == .immediate { return Proof.none }
        if let proof = self.proof, self.release.accepts(proof) { return proof }
        if self.taken?.isByApp == true, self.release.accepts(.callbackLink) { return .callbackLink }
        return self.isSwitched && self.release.accepts(.switchLink) ? .switchLink : nil
    }

    /// The identity is known and sealed. It counts from any holder, as long as the login is not over.
    mutating func settle(_ outcome: Outcome, at now: Timestamp) -> SettleAction {
        guard case .exchanging = self.state else { return .drop }
        if self.proven == nil {
            self.end(in: .awaitingReturn(outcome, until: now + Login.awaitsReturnFor))
        } else {
            self.end(in: .completed(outcome))
        }
        return .ended
    }

    /// The answer that was taken is to another login, or nobody can tell to which: the login waits for its own, with
    /// all the openings that it had. A proof that came with that answer is forgotten too.
    mutating func takeBack(fence: Int) -> SettleAction {
        guard case .exchanging(let exchange) = self.state, exchange.fence == fence else { return .drop }
        self.state = .pending
        let opening = Opening(id: exchange.opening, openedAt: exchange.openedAt, flight: exchange.flight)
        let index = self.openings.firstIndex { $0.openedAt > opening.openedAt } ?? self.openings.endIndex
        self.openings.insert(opening, at: index)
        self.taken = nil
        self.proof = nil
        self.version += 1
        return .ended
    }

    /// The exchange failed. It counts only from the current holder.
    mutating func fail(_ reason: Reason, fence: Int, at now: Timestamp) -> SettleAction {
        guard case .exchanging(let exchange) = self.state, exchange.fence == fence else { return .drop }
        self.end(in: .failed(reason, keepUntil: self.keepUntil(from: now)))
        return .ended
    }
}
