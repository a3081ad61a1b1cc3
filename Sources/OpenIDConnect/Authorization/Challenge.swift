import Base
import Cryptography

/// The values that tie an authorization request to its responses: `state`, `nonce` and the PKCE verifier (RFC 7636).
package struct Challenge: Sendable {
    package let state: String
    package let nonce: String
    package let codeVerifier: Secret

    package init(state: String, nonce: String, codeVerifier: Secret) {
        self.state = state
        self.nonce = nonce
        self.codeVerifier = codeVerifier
    }

    /// Uses 32 random bytes for each. The verifier then has the 43 characters that RFC 7636 §4.1 recommends.
    package static func make(state: String) -> Self {
        Self(
            state: state, nonce: Base64URL.encode(RandomBytes.make(32)),
            codeVerifier: Base64URL.encode(Secret(RandomBytes.make(32))))
    }

    /// Always uses S256 (RFC 7636 §4.2).
    package var codeChallenge: String { Base64URL.encode(Digest.sha256.hash(self.codeVerifier.exposed)) }
}

/// An attacker who knows the `state` can send us a forged response, so it is not printed either.
extension Challenge: RedactedDescription {}
