// How a session gives new access tokens: with its DPoP key, and with a PIN whenever the inactivity timeout has passed.

import Base

extension ActiveSession {
    enum RenewalAction: Equatable, Sendable {
        case renewed
        case unlocked
        case pinRequired
        /// Only a new login with the e-ID helps.
        case locked
        case refused(PINVerdict)
    }

    /// `level` is what the session may have now. It can be lower than that of its login.
    mutating func renew(
        _ proof: DPoPProof, of session: SessionID, as level: SessionLevel, at now: Timestamp, _ rules: SessionRules
    ) -> RenewalAction {
        guard proof.pinProof == nil else { return self.unlock(proof, of: session, at: now, rules) }
        if level == .refresh, let limit = rules.idleLimits[self.login.provider], now - self.presentAt > limit {
            return .locked
        }
        if level == .unlock {
            switch self.pin {
            case .none: guard self.isFresh(at: now) else { return .locked }
            case .set: guard now - self.presentAt <= rules.idle(after: self.login) else { return .pinRequired }
            case .lockedOut: return .locked
            }
        }
        self.noteUse(at: now, rules)
        return .renewed
    }

    private mutating func unlock(
        _ proof: DPoPProof, of session: SessionID, at now: Timestamp, _ rules: SessionRules
    ) -> RenewalAction {
        switch self.judge(proof, of: session, rules) {
        case .right:
            self.unlockedAt = now
            self.noteUse(at: now, isCertain: true, rules)
            return .unlocked
        // The response was lost, and the same unlock gives fresh tokens.
        case .rightBefore: return .renewed
        case let verdict: return .refused(verdict)
        }
    }
}
