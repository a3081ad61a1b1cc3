// How a completed login begins a session, or renews that of its key.

import Base

extension Session {
    enum BeginAction: Equatable, Sendable {
        case begun
        /// A newer login of the same user has renewed the session.
        case renewed
        /// This login, or a newer one, has begun the session before: the request was repeated.
        case found
        /// The app demands an attestation, and there is none of this login or an earlier one.
        case unattested
        case otherPerson
        /// The session has ended since the login.
        case ended
        /// The session has begun with this login before, and its PIN has been locked out since.
        case locked
    }

    /// Makes the session of a login, or returns nil if it would be over at once. `random` is the random part of its
    /// refresh token.
    init?(
        _ login: CompletedLogin, thumbprint: String, level: SessionLevel, random: Secret, at now: Timestamp,
        _ rules: SessionRules
    ) {
        guard
            let active = ActiveSession(
                login, thumbprint: thumbprint, level: level, random: random, at: now, rules)
        else { return nil }
        self.init(
            id: SessionID(app: login.app, thumbprint: thumbprint), app: login.app, state: .active(active))
    }

    /// The caller has verified that the proof's key is that of the login, and `level` is above `access`.
    mutating func begin(
        with login: CompletedLogin, thumbprint: String, level: SessionLevel, demandsAttestation: Bool = false,
        random: Secret, at now: Timestamp, _ rules: SessionRules
    ) -> BeginAction {
        switch self.state {
        case .active(var active):
            guard active.subject == login.subject else { return .otherPerson }
            // What was attested for the key stays true, and Android attests a key only when it is made.
            guard !demandsAttestation || max(active.attestation, login.attestation) > .none else { return .unattested }
            guard login.completedAt > active.login.completedAt else {
                guard active.pin != .lockedOut else { return .locked }
                active.take(login.attestation, rules)
                self.state = .active(active)
                return .found
            }
            active.begin(again: login, level: level, rules)
            self.state = .active(active)
            return .renewed
        case .ended(_, let loginsUntil):
            guard login.completedAt > loginsUntil else { return .ended }
            guard !demandsAttestation || login.attestation > .none else { return .unattested }
            guard
                let active = ActiveSession(
                    login, thumbprint: thumbprint, level: level, random: random, at: now, rules)
            else { return .ended }
            self.state = .active(active)
            return .begun
        }
    }
}

extension ActiveSession {
    fileprivate init?(
        _ login: CompletedLogin, thumbprint: String, level: SessionLevel, random: Secret, at now: Timestamp,
        _ rules: SessionRules
    ) {
        let lifetime = login.attestation == .none ? rules.lifetime : rules.attestedLifetime
        // Until the app has used it, nobody knows whether the app has it at all.
        let endsAt = min(login.keepUntil, login.completedAt + lifetime)
        guard now < endsAt, rules.validFrom.map({ $0 <= login.completedAt }) ?? true else { return nil }
        self.subject = login.subject
        self.thumbprint = thumbprint
        self.refreshToken = random
        self.createdAt = now
        self.platform = login.platform
        self.login = SessionLogin(login)
        self.level = level
        self.endsAt = endsAt
        self.attestation = login.attestation
        // The key may have had a session before, and so a copy of its last change of the PIN may still come.
        self.lastAttempt = PINAttempt(nonceTime: now + .milliseconds(-1), hash: [], isRight: false)
    }

    /// Takes what a repeated request attests. The first one may have attested nothing.
    fileprivate mutating func take(_ attestation: SessionAttestation, _ rules: SessionRules) {
        guard attestation > self.attestation else { return }
        self.attestation = attestation
        if self.usedAt != nil { self.endsAt = self.login.completedAt + self.lifetime(rules) }
    }

    /// Takes a newer login of the same user. The PIN stays, so that a step-up does not force a new one; so do the
    /// refresh token and the counts of wrong PINs.
    fileprivate mutating func begin(again login: CompletedLogin, level: SessionLevel, _ rules: SessionRules) {
        self.login = SessionLogin(login)
        self.platform = login.platform
        self.level = level
        self.unlockedAt = nil
        if self.pin == .lockedOut { self.pin = .none }
        // It is the same key, so what was attested for it before is still true.
        self.attestation = max(self.attestation, login.attestation)
        let endsAt = login.completedAt + self.lifetime(rules)
        self.endsAt = self.usedAt == nil ? min(login.keepUntil, endsAt) : endsAt
    }
}
