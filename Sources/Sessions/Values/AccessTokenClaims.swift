import Base

/// What one of our own access tokens says, after it was verified. Only `AccessTokenIssuer` makes one.
package struct AccessTokenClaims: Sendable {
    package let sessionID: SessionID
    /// The `client_id`.
    package let app: String
    /// The `sub`.
    package let subject: Secret
    /// The `cnf.jkt`: the key that the token is bound to. Nil for a bearer token.
    package let thumbprint: String?
    package let expiresAt: Timestamp

    init(sessionID: SessionID, app: String, subject: Secret, thumbprint: String?, expiresAt: Timestamp) {
        self.sessionID = sessionID
        self.app = app
        self.subject = subject
        self.thumbprint = thumbprint
        self.expiresAt = expiresAt
    }
    func isValid(at now: Timestamp) -> Bool { now < self.expiresAt }
}
