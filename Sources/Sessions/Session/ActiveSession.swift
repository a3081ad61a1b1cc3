import Base

/// What a session has until it ends.
struct ActiveSession: Equatable, Sendable {
    /// The state of the PIN.
    enum PIN: Equatable, Sendable {
        case none
        case set(PINSecret)
        /// Too many wrong PINs have destroyed the secret. Only a new login with the e-ID helps.
        case lockedOut
    }

    /// The `sub`. It may be a national id.
    let subject: Secret
    /// The thumbprint of the DPoP key.
    let thumbprint: String
    /// The random part of the refresh token.
    let refreshToken: Secret
    let createdAt: Timestamp
    var platform: String?
    var login: SessionLogin
    /// The level that the login allowed. The app's setting may have become lower since.
    var level: SessionLevel
    /// Nil until the app has renewed the session or set a PIN.
    var usedAt: Timestamp?
    /// The last unlock since the e-ID login.
    var unlockedAt: Timestamp?
    var endsAt: Timestamp
    var attestation = SessionAttestation.none
    var pin = PIN.none
    var lastAttempt: PINAttempt?

    var hasPIN: Bool {
        guard case .set = self.pin else { return false }
        return true
    }

    /// The name that the app gave its PIN. Nil if it gave none, or no PIN is set.
    var pinID: String? {
        guard case .set(let pin) = self.pin else { return nil }
        return pin.id
    }

    /// The last time at which the user certainly was there: the e-ID login, an unlock, or a renewal without a pause as
    /// long as the inactivity timeout.
    var presentAt: Timestamp { max(self.login.completedAt, self.usedAt ?? self.login.completedAt) }

    /// Whether the e-ID login is so fresh that it stands for a PIN.
    func isFresh(at now: Timestamp) -> Bool { now - self.login.completedAt <= SessionRules.freshLogin }

    /// Whether the PIN was right, and the inactivity timeout has not passed since.
    func isUnlocked(at now: Timestamp, _ rules: SessionRules) -> Bool {
        self.hasPIN && self.unlockedAt != nil && now - self.presentAt <= rules.idle(after: self.login)
    }

    /// Returns when the session ends. A lifetime that the operator has made shorter counts at once.
    func end(_ rules: SessionRules) -> Timestamp {
        min(self.endsAt, self.login.completedAt + self.lifetime(rules))
    }

    func lifetime(_ rules: SessionRules) -> Duration {
        self.attestation == .none ? rules.lifetime : rules.attestedLifetime
    }

    /// Notes that the app uses the session. A use soon after another one changes nothing, because each change costs a
    /// write. `isCertain` notes it in any case.
    mutating func noteUse(at now: Timestamp, isCertain: Bool = false, _ rules: SessionRules) {
        if let usedAt = self.usedAt, !isCertain {
            guard now - usedAt > min(rules.idle(after: self.login) / 10, .seconds(60)) else { return }
        }
        // A session that was never used ends with its login's result.
        if self.usedAt == nil { self.endsAt = self.login.completedAt + self.lifetime(rules) }
        self.usedAt = max(now, self.usedAt ?? now)
    }
}
