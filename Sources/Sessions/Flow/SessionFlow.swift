import Base
import Logins

/// Runs sessions from begin to end: each request of an app or its backend goes to the step that handles it.
///
///     a completed login ──▶ SessionStart ──▶ active ◀── SessionRenewal (renew, unlock, set PIN)
///                                              │
///                    SessionManagement (end, revoke), SessionSweep (time)
///                                              ▼
///                                       ended, and gone
///
/// Every step reads and changes sessions through `SessionRepository` only. Every operation can be repeated with the
/// same result, because a phone loses responses.
package final class SessionFlow: Sendable {
    private let repository: SessionRepository
    private let nonces: NonceTime
    private let start: SessionStart
    private let renewal: SessionRenewal
    private let management: SessionManagement
    private let sweeping: SessionSweep

    package init(
        _ configuration: SessionConfiguration, store: any SessionStore, now: @escaping @Sendable () -> Timestamp,
        observe: @escaping @Sendable (SessionEvent) -> Void
    ) {
        let repository = SessionRepository(configuration, store: store, now: now, observe: observe)
        let responses = TokenResponses(repository: repository)
        let nonces = NonceTime()
        self.repository = repository
        self.nonces = nonces
        self.start = SessionStart(repository, responses)
        self.renewal = SessionRenewal(repository, responses, nonces)
        self.management = SessionManagement(repository: repository)
        self.sweeping = SessionSweep(repository: repository)
    }

    /// Sets the configuration of all sessions.
    package func replaceConfiguration(with configuration: SessionConfiguration) {
        self.repository.configuration = configuration
    }
}

// MARK: - Proofs and access tokens

extension SessionFlow {
    /// Returns a nonce for the header `DPoP-Nonce` (RFC 9449 §8).
    package func makeNonce() -> String {
        let time = self.nonces.time(at: self.repository.now())
        return DPoPNonce.make(at: time, under: self.repository.configuration.keys.first)
    }

    /// Verifies the DPoP proof of a request that has no access token. `headers` are all values of its DPoP header, and
    /// `url` is ours, made from the public URL.
    package func verifyProof(
        _ headers: [String], method: String, url: String
    ) throws(DPoPError) -> DPoPProof {
        try DPoPVerifier(keys: self.repository.configuration.keys, at: self.repository.now())
            .verify(headers, method: method, url: url, accessToken: nil)
    }

    /// Verifies the DPoP proof of a request with the access token of its Authorization header (RFC 9449 §7.1). The
    /// claims are nil if the token is not ours, or has expired.
    package func verifyProof(
        _ headers: [String], method: String, url: String, accessToken: String
    ) throws(DPoPError) -> (proof: DPoPProof, claims: AccessTokenClaims?) {
        let (configuration, now) = (self.repository.configuration, self.repository.now())
        let proof = try DPoPVerifier(keys: configuration.keys, at: now)
            .verify(headers, method: method, url: url, accessToken: accessToken)
        guard let claims = AccessTokenIssuer(configuration).read(accessToken) else { return (proof, nil) }
        guard let thumbprint = claims.thumbprint, identical(thumbprint, proof.thumbprint) else { throw .keyMismatch }
        return (proof, claims.isValid(at: now) ? claims : nil)
    }
}

// MARK: - Requests of an app

extension SessionFlow {
    /// Begins the session of a completed login, or finds it if it has begun. `proof` is needed if the login names a
    /// key, and `statement` if the app demands an attestation. Later than 15 minutes after the login there is no access
    /// token, and at the level `access` the login has ended. Throws `notAllowed`, `keyRequired`, `attestationRequired`,
    /// `attestationRefused`, `otherPerson`, `ended` or `locked`.
    nonisolated(nonsending) package func begin(
        _ login: CompletedLogin, proof: DPoPProof?, statement: PhoneStatement? = nil
    ) async throws(SessionError) -> SessionTokens {
        try await self.start.begin(login, proof: proof, statement: statement)
    }

    /// Gives a new access token. With a PIN in the proof it is also the unlock. Throws `unknown`, `pinRequired`,
    /// `wrongPIN`, `staleNonce` or `locked`.
    nonisolated(nonsending) package func renew(
        refreshToken: Secret, clientID: String, proof: DPoPProof
    ) async throws(SessionError) -> SessionTokens {
        try await self.renewal.renew(refreshToken: refreshToken, clientID: clientID, proof: proof)
    }

    /// Sets the PIN's secret. `pinID` is a name that the app gives this PIN, to know later which one is set. The proof
    /// must have been verified with the access token. Throws `malformedPIN`,
    /// `unknown`, `ended`, `notAllowed`, `tooLateForPIN`, and with a proof of the old PIN `wrongPIN`, `staleNonce` or
    /// `locked`.
    nonisolated(nonsending) package func setPIN(
        _ id: SessionID, secret: Secret, pinID: String? = nil, accessToken: AccessTokenClaims, proof: DPoPProof
    ) async throws(SessionError) {
        try await self.renewal.setPIN(id, secret: secret, pinID: pinID, accessToken: accessToken, proof: proof)
    }

    /// Returns the sessions of the user of this token at the same app. Throws `unknown`, `ended`, `pinRequired`, or
    /// `locked` if only a new login helps.
    package func list(by claims: AccessTokenClaims) async throws(SessionError) -> [SessionSummary] {
        try await self.management.list(by: claims)
    }

    /// Ends a session of the user of this token at the same app. Throws what `list` throws, and `unknown` for another
    /// user's session.
    package func end(_ id: SessionID, by claims: AccessTokenClaims) async throws(SessionError) {
        try await self.management.end(id, by: claims)
    }

    /// Ends the session of a refresh token (RFC 7009). An unknown token is no error.
    package func revoke(refreshToken: Secret) async throws(SessionError) {
        try await self.management.revoke(refreshToken: refreshToken)
    }
}

// MARK: - Requests of an app's backend

extension SessionFlow {
    package func list(app: String, subject: Secret) async throws(SessionError) -> [SessionSummary] {
        try await self.management.list(app: app, subject: subject)
    }

    /// Ends all sessions of a user, and removes what leads to the user in them and in earlier ones. Logins that completed
    /// before begin no session and give no token any more. Returns how many sessions had not ended.
    package func endAll(app: String, subject: Secret) async throws(SessionError) -> Int {
        try await self.management.endAll(app: app, subject: subject)
    }
}

// MARK: - Time

extension SessionFlow {
    /// Processes up to `limit` rows: ends sessions whose time is over, removes tombstones, and seals rows again under
    /// the newest key. Returns how many rows it processed; with `limit` there may be more.
    package func sweep(limit: Int = 256) async throws(SessionError) -> Int {
        try await self.sweeping.sweep(limit: limit)
    }
}
