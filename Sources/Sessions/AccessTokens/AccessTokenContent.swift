import Base

/// What an access token says about a session.
struct AccessTokenContent {
    let session: SessionID
    let terms: SessionTerms
    let subject: Secret
    /// Nil for a bearer token.
    let thumbprint: String?
    let login: SessionLogin
    /// The last unlock since the e-ID login, if there was one.
    let unlockedAt: Timestamp?
    let attestation: SessionAttestation
}
