// How a PIN changes a session: it is proven, set and locked out.

import Base

extension ActiveSession {
    enum PINVerdict: Equatable, Sendable {
        case right
        /// The attempt that was judged last, again.
        case rightBefore
        case wrong(triesLeft: Int)
        /// The wrong attempt that was judged last, again.
        case wrongBefore(triesLeft: Int)
        /// This attempt has destroyed the secret.
        case lockedOut
        /// The secret was destroyed before.
        case isLockedOut
        /// The nonce is not newer than that of the last attempt.
        case staleNonce
        /// There is no PIN that could be right.
        case notSet
        /// The app has proven another PIN than the one that is set: the response to a change was lost.
        case otherPIN
    }

    /// Judges a PIN attempt and counts it: the caller stores the result with one compare-and-swap, so that no attempt
    /// is judged without being counted. The proof's signature was verified before, so only the phone can spend tries.
    mutating func judge(_ proof: DPoPProof, of session: SessionID, _ rules: SessionRules) -> PINVerdict {
        guard case .set(var pin) = self.pin else { return self.pin == .lockedOut ? .isLockedOut : .notSet }
        if let id = proof.pinID {
            guard let own = pin.id, identical(own, id) else { return .otherPIN }
        }
        if let last = self.lastAttempt {
            if last.hash == proof.hash {
                return last.isRight ? .rightBefore : .wrongBefore(triesLeft: Self.triesLeft(pin, rules))
            }
            guard proof.nonceTime > last.nonceTime else { return .staleNonce }
        }
        let isRight = pin.verify(proof, of: session)
        self.lastAttempt = PINAttempt(nonceTime: proof.nonceTime, hash: proof.hash, isRight: isRight)
        pin.wrongInARow = isRight ? 0 : pin.wrongInARow + 1
        pin.wrongInAll += isRight ? 0 : 1
        let triesLeft = Self.triesLeft(pin, rules)
        // Someone else may have lowered the number of tries since the last attempt, so a right PIN is asked first.
        guard isRight || triesLeft > 0 else {
            self.pin = .lockedOut
            return .lockedOut
        }
        self.pin = .set(pin)
        return isRight ? .right : .wrong(triesLeft: triesLeft)
    }

    private static func triesLeft(_ pin: PINSecret, _ rules: SessionRules) -> Int {
        max(0, min(rules.pinTries - pin.wrongInARow, SessionRules.pinTriesInAll - pin.wrongInAll))
    }

    enum SetPINAction: Equatable, Sendable {
        case set
        /// This proof has set the PIN before: the request was repeated.
        case isSet
        case tooLate
        /// The proof has a `pin_proof`, and this is what it says; or the PIN is locked out.
        case refused(PINVerdict)
    }

    /// Sets the PIN's secret, soon after the e-ID login or with a proof of the old one. An unlocked session alone is
    /// not enough: somebody may have found the phone.
    ///
    /// A thief with the phone's key can turn each guess of a PIN into a secret. So the new secret is never compared with
    /// the present one: later than the e-ID login allows, only a counted try tells anything. A repeated request is known
    /// by its proof alone. A copy of it that comes late, when another PIN was tried or set meanwhile, changes nothing:
    /// its nonce is not newer than theirs.
    mutating func setPIN(
        _ secret: PINSecret, _ proof: DPoPProof, of session: SessionID, at now: Timestamp, _ rules: SessionRules
    ) -> SetPINAction {
        // A proof for this request is judged right only together with the change that it makes.
        if let last = self.lastAttempt, last.isRight, last.hash == proof.hash { return .isSet }
        let isFresh = self.isFresh(at: now)
        guard isFresh || proof.pinProof != nil else { return .tooLate }
        if proof.pinProof != nil, self.hasPIN {
            switch self.judge(proof, of: session, rules) {
            case .right: break
            case let verdict: return .refused(verdict)
            }
        } else {
            guard self.pin != .lockedOut else { return .refused(.isLockedOut) }
            guard isFresh else { return .tooLate }
            if let last = self.lastAttempt, proof.nonceTime <= last.nonceTime { return .refused(.staleNonce) }
        }
        self.pin = .set(secret)
        // A proof of the old secret, sent again, is neither right nor wrong now.
        self.lastAttempt = PINAttempt(nonceTime: proof.nonceTime, hash: proof.hash, isRight: true)
        self.noteUse(at: now, isCertain: true, rules)
        return .set
    }
}
