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
    package let rules: SessionRules

    package init(
        issuer: String, keys: SessionKeys, signer: JWTSigner, verificationKeys: JWKSet, terms: [String: SessionTerms],
        rules: SessionRules = SessionRules()
    ) {
        self.issuer = issuer
        self.keys = keys
        self.signer = signer
        self.verificationKeys = verificationKeys
        self.terms = terms
        self.rules = rules
    }
}
