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
    package var verificationKeys: JWKSet { self.readVerificationKeys() }
    private let readVerificationKeys: @Sendable () -> JWKSet
    package let terms: [String: SessionTerms]
    package let rules: SessionRules

    package convenience init(
        issuer: String, keys: SessionKeys, signer: JWTSigner, verificationKeys: JWKSet, terms: [String: SessionTerms],
        rules: SessionRules = SessionRules()
    ) {
        self.init(
            issuer: issuer, keys: keys, signer: signer, readVerificationKeys: { verificationKeys }, terms: terms,
            rules: rules)
    }

    /// The keys are read anew for each token, because some change while the server runs.
    package init(
        issuer: String, keys: SessionKeys, signer: JWTSigner,
        readVerificationKeys: @escaping @Sendable () -> JWKSet, terms: [String: SessionTerms],
        rules: SessionRules = SessionRules()
    ) {
        self.issuer = issuer
        self.keys = keys
        self.signer = signer
        self.readVerificationKeys = readVerificationKeys
        self.terms = terms
        self.rules = rules
    }
}
