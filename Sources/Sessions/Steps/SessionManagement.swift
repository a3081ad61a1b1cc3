// How sessions are listed and ended, for their user and for the app's backend.

import Base

extension SessionFlow {
    // MARK: - By the user

    /// Returns the sessions of the user of this token at the same app. Throws `unknown`, `ended`, `pinRequired`, or
    /// `locked` if only a new login helps.
    package func list(by claims: AccessTokenClaims) async throws(SessionError) -> [SessionSummary] {
        _ = try await self.authorize(claims)
        return try await self.repository.sessions(app: claims.app, subject: claims.subject).compactMap {
            SessionSummary($0, isCurrent: $0.id == claims.sessionID, self.repository.configuration.rules)
        }
    }

    /// Ends a session of the user of this token at the same app. Throws what `list` throws, and `unknown` for another
    /// user's session.
    package func end(_ id: SessionID, by claims: AccessTokenClaims) async throws(SessionError) {
        do throws(SessionError) {
            try await self.authorize(claims)
        } catch {
            // The session has ended itself before, and the response was lost.
            guard id == claims.sessionID, error == .ended || error == .unknown else { throw error }
            return
        }
        let persons = self.repository.persons(app: claims.app, subject: claims.subject)
        let change = try await self.repository.change(id, emitting: { $0 == true ? .ended(.app) : nil }) {
            session, _ in
            // A tombstone has no subject. It keeps its column, by which we know whose it was.
            let isTheirs = session.active.map { $0.subject == claims.subject } ?? persons.contains(session.person)
            guard identical(session.app, claims.app), isTheirs else { return Bool?.none }
            return session.end(at: self.repository.now())
        }
        guard change?.action != nil else { throw .unknown }
    }

    /// Throws unless the session of this token may manage all sessions of its user: it is unlocked, or its e-ID login
    /// is fresh. A session that could be unlocked needs its PIN; any other needs a new login.
    private func authorize(_ claims: AccessTokenClaims) async throws(SessionError) {
        guard case .session(var session, _)? = try await self.repository.load(claims.sessionID) else { throw .unknown }
        let (now, rules) = (self.repository.now(), self.repository.configuration.rules)
        _ = session.lapse(at: now, rules)
        guard let active = session.active else { throw .ended }
        guard let thumbprint = claims.thumbprint, identical(thumbprint, active.thumbprint),
            identical(session.app, claims.app),
            active.subject == claims.subject
        else { throw .unknown }
        guard active.isFresh(at: now) || active.isUnlocked(at: now, rules) else {
            throw active.hasPIN ? .pinRequired(id: active.pinID) : .locked
        }
    }

    // MARK: - By the app's backend

    package func list(app: String, subject: Secret) async throws(SessionError) -> [SessionSummary] {
        try await self.repository.sessions(app: app, subject: subject).compactMap {
            SessionSummary($0, isCurrent: false, self.repository.configuration.rules)
        }
    }

    /// Ends all sessions of a user, and removes what leads to the user in them and in earlier ones. Logins that
    /// completed before begin no session and give no token any more. Returns how many sessions had not ended.
    package func endAll(app: String, subject: Secret) async throws(SessionError) -> Int {
        // First: who begins a session stores it, and then looks for the marker. So one of us sees the other.
        try await self.repository.markEnd(app: app, subject: subject, at: self.repository.now())
        let persons = self.repository.persons(app: app, subject: subject)
        var endedCount = 0
        // A row that changes meanwhile is found again.
        for _ in 0..<100 {
            let rows = try await self.repository.rows(app: app, subject: subject)
            guard !rows.isEmpty else { return endedCount }
            for row in rows {
                guard case .session = self.repository.open(row) else {
                    _ = try await self.repository.remove(row)
                    continue
                }
                let change = try await self.repository.change(row.id, emitting: { $0 ? .ended(.deleted) : nil }) {
                    session, _ in
                    // Its key may have a session of another user by now.
                    let isTheirs = session.active.map { $0.subject == subject } ?? persons.contains(session.person)
                    return isTheirs && session.erase(at: self.repository.now())
                }
                if change?.action == true { endedCount += 1 }
            }
        }
        throw .storeUnavailable
    }

    // MARK: - By the refresh token

    /// Ends the session of a refresh token (RFC 7009). An unknown token is no error.
    package func revoke(refreshToken: Secret) async throws(SessionError) {
        // RFC 7009 §2.2: the client cannot do anything about an unknown token.
        guard let token = RefreshToken(refreshToken) else { return }
        _ = try await self.repository.change(token.session, emitting: { $0 ? .ended(.revoked) : nil }) { session, _ in
            guard let active = session.active, active.refreshToken == token.random else { return false }
            return session.end(at: self.repository.now())
        }
    }
}

extension SessionSummary {
    /// Nil if the session has ended.
    fileprivate init?(_ session: Session, isCurrent: Bool, _ rules: SessionRules) {
        guard let active = session.active else { return nil }
        self.init(
            id: session.id, platform: active.platform, provider: active.login.provider, createdAt: active.createdAt,
            usedAt: active.usedAt, endsAt: active.end(rules), hasPIN: active.hasPIN, isCurrent: isCurrent)
    }
}
