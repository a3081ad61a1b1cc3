// How a code exchange changes a login.

import Base

extension Login {
    /// A code exchange in progress.
    struct Exchange: Equatable, Sendable {
        let attempt: [UInt8]
        let openedAt: Timestamp
        let acceptedAt: Timestamp
        /// The fencing token, which rises each time another holder takes over. A failure counts only from the current
        /// holder.
        var fencingToken: Int
        /// How often the code may have been sent; 0 while it waits for its first turn. We write it before we send, so
        /// that a killed holder cannot hide a try.
        var tries = 1
        var leaseUntil: Timestamp
        /// The process that holds it (`LoginStore.processName`). Empty if nobody could see that it has ended.
        var holder = ""
        /// The attempt's nonce and verifier, encrypted.
        let inFlight: [UInt8]
        /// The code, encrypted.
        let code: [UInt8]
        /// The token response, encrypted. We store it before we request the userinfo, because the code cannot be used
        /// again.
        var tokenResponse: [UInt8]?
    }
}

/// An encrypted identity, and the plain fields beside it.
struct SealedOutcome: Equatable, Sendable {
    let sealed: [UInt8]
    let proof: SameDeviceProof
    let keepUntil: Timestamp
}

extension Login {
    /// Stores the token response before the userinfo request. Returns false if another holder has taken over.
    mutating func keepTokenResponse(_ sealed: [UInt8], fencingToken: Int) -> Bool {
        guard case .exchanging(var exchange) = self.state, exchange.fencingToken == fencingToken else { return false }
        exchange.tokenResponse = sealed
        self.state = .exchanging(exchange)
        return true
    }

    enum SettleAction: Equatable, Sendable {
        case ended
        /// The login was over, or another holder has taken over. Drop the outcome.
        case drop
    }

    /// The proof for which the result may be released. Nil while it is missing.
    var proven: SameDeviceProof? {
        if self.release == .immediate { return SameDeviceProof.none }
        if let proof = self.proof, self.release.accepts(proof) { return proof }
        if self.acceptedResponse?.isByApp == true, self.release.accepts(.callbackLink) { return .callbackLink }
        return self.hasSwitchProof && self.release.accepts(.switchLink) ? .switchLink : nil
    }

    /// Stores the encrypted identity. Any holder may do so while the login is not over.
    /// `timeout` is how long it waits for a proof.
    mutating func settle(_ outcome: SealedOutcome, at now: Timestamp, timeout: Duration) -> SettleAction {
        guard case .exchanging = self.state else { return .drop }
        if self.proven == nil {
            self.end(in: .awaitingReturn(outcome, until: now + timeout))
        } else {
            self.end(in: .completed(outcome))
        }
        return .ended
    }

    /// Returns to `pending`, because the response belongs to another login or cannot be assigned to one. The login
    /// keeps all its attempts and waits for its own response. A proof that came with the response is dropped too.
    mutating func revertExchange(fencingToken: Int) -> SettleAction {
        guard case .exchanging(let exchange) = self.state, exchange.fencingToken == fencingToken else { return .drop }
        self.state = .pending
        let attempt = AuthorizationAttempt(
            id: exchange.attempt, openedAt: exchange.openedAt, inFlight: exchange.inFlight)
        let index = self.attempts.firstIndex { $0.openedAt > attempt.openedAt } ?? self.attempts.endIndex
        self.attempts.insert(attempt, at: index)
        self.acceptedResponse = nil
        self.proof = nil
        self.wasAnswered = true
        if exchange.tokenResponse != nil { self.wasRedeemed = true }
        self.version += 1
        return .ended
    }

    /// Fails the exchange. Only the current holder may do so.
    mutating func fail(_ reason: Reason, fencingToken: Int, at now: Timestamp) -> SettleAction {
        guard case .exchanging(let exchange) = self.state, exchange.fencingToken == fencingToken else { return .drop }
        self.end(in: .failed(reason, keepUntil: self.keepUntil(from: now)))
        return .ended
    }
}
