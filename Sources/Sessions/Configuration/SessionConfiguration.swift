import Base
import JOSE

/// The configuration snapshot of sessions: the terms of the apps, the keys and the lifetimes. It is immutable; a
/// changed configuration gives a new snapshot, which applies to all sessions at once.
package final class SessionConfiguration: Sendable {
    /// The public URL.
    package let issuer: String
    package let keys: SessionKeys
    /// Signs access tokens.
    package let signer: JWTSigner
    /// The keys that verify our access tokens, former ones included.
    package let verificationKeys: JWKSet
    package let terms: [String: SessionTerms]
    package let accessTokenLifetime: Duration
    let rules: SessionRules

    package init(
        issuer: String, keys: SessionKeys, signer: JWTSigner, verificationKeys: JWKSet, terms: [String: SessionTerms],
        accessTokenLifetime: Duration, idle: Duration, lifetime: Duration, attestedLifetime: Duration, pinTries: Int,
        validFrom: Timestamp?, idleLimits: [String: Duration] = [:]
    ) {
        self.issuer = issuer
        self.keys = keys
        self.signer = signer
        self.verificationKeys = verificationKeys
        self.terms = terms
        self.accessTokenLifetime = accessTokenLifetime
        self.rules = SessionRules(
            idle: idle, lifetime: lifetime, attestedLifetime: attestedLifetime, pinTries: pinTries,
            validFrom: validFrom, idleLimits: idleLimits)
    }
}
