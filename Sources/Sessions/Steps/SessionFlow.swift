import Base
import Logins

/// Runs sessions from begin to end. Each request of an app or its backend is a function of this type, in the file of
/// its step:
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
    let repository: SessionRepository
    let nonces = NonceTime()

    package init(
        _ configuration: SessionConfiguration, store: any SessionStore, now: @escaping @Sendable () -> Timestamp,
        observe: @escaping @Sendable (SessionEvent) -> Void
    ) {
        self.repository = SessionRepository(configuration, store: store, now: now, observe: observe)
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
