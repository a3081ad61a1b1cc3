// How the tokens that an app gets are made.

import Base

extension SessionFlow {
    /// Returns the tokens of a session that has not ended, without an access token if only a renewal may give one.
    func tokens(of session: Session, withAccess: Bool = true) throws(SessionError) -> SessionTokens {
        let configuration = self.repository.configuration
        guard let active = session.active, let terms = configuration.terms[session.app] else { throw .unknown }
        let level = min(active.level, terms.level)
        let content = AccessTokenContent(
            session: session.id, terms: terms, subject: active.subject, thumbprint: active.thumbprint,
            login: active.login, unlockedAt: active.unlockedAt, attestation: active.attestation)
        return SessionTokens(
            sessionID: session.id, accessToken: withAccess ? try self.accessToken(content, configuration) : nil,
            isBearer: false, expiresIn: configuration.rules.accessTokenLifetime,
            refreshToken: RefreshToken(session: session.id, random: active.refreshToken).text,
            isPINSet: level == .unlock ? active.hasPIN : nil, pinID: level == .unlock ? active.pinID : nil,
            level: level)
    }

    /// Returns the only token of a login that may not become more. We keep nothing.
    func accessOnly(_ login: CompletedLogin, _ terms: SessionTerms) throws(SessionError) -> SessionTokens {
        let configuration = self.repository.configuration
        let session =
            login.thumbprint.map { SessionID(app: login.app, thumbprint: $0) }
            ?? Self.bearerSession(login, configuration.keys.first)
        let content = AccessTokenContent(
            session: session, terms: terms, subject: login.subject, thumbprint: login.thumbprint,
            login: SessionLogin(login), unlockedAt: nil, attestation: login.attestation)
        let tokens = SessionTokens(
            sessionID: session, accessToken: try self.accessToken(content, configuration),
            isBearer: login.thumbprint == nil, expiresIn: configuration.rules.accessTokenLifetime, level: .access)
        self.repository.emit(
            SessionEvent(
                .begun(isNew: true), session: session, app: login.app, provider: login.provider,
                platform: login.platform, level: .access))
        return tokens
    }

    /// Without a key there is nothing that names the session, except the login.
    private static func bearerSession(_ login: CompletedLogin, _ key: SessionKey) -> SessionID {
        let code = key.token.code { message in
            message.append(login.app)
            message.append([0])
            withUnsafeBytes(of: login.completedAt.milliseconds.bigEndian) { message.append($0) }
            message.append(login.subject.exposed)
        }
        return SessionID(firstOf: code.array())
    }

    private func accessToken(
        _ content: AccessTokenContent, _ configuration: SessionConfiguration
    ) throws(SessionError) -> String {
        guard let token = AccessTokenIssuer(configuration).issue(content, at: self.repository.now()) else {
            throw .storeUnavailable
        }
        return token
    }
}
