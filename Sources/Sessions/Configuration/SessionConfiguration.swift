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

    /// `verificationKeys` is read anew for each token, because some keys change while the server runs.
    package init(
        issuer: String, keys: SessionKeys, signer: JWTSigner, verificationKeys: @autoclosure @escaping @Sendable () -> JWKSet,
        terms: [String: SessionTerms],
        rules: SessionRules = SessionRules()
    ) {
        self.issuer = issuer
        self.keys = keys
        self.signer = signer
        self.readVerificationKeys = verificationKeys
        self.terms = terms
        self.rules = rules
    }
}
