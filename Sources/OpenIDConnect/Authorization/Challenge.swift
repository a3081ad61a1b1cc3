/// The values that tie one authorization request to its answers: `state`, `nonce` and the PKCE verifier (RFC 7636).
import Base
import Cryptography

package struct Challenge: Sendable {
    package let state: String
    package let nonce: String
    package let codeVerifier: Secret

    package init(state: String, nonce: String, codeVerifier: Secret) {
        self.state = state
        self.nonce = nonce
        self.codeVerifier = codeVerifier
    }

    /// With 32 random bytes each; the verifier then has the 43 characters that RFC 7636 §4.1 recommends.
    package static func make(state: String) -> Self {
        Self(
            state: state, nonce: Base64URL.encode(RandomBytes.make(32)),
            codeVerifier: Base64URL.encode(Secret(RandomBytes.make(32))))
    }

    /// Always by S256 (RFC 7636 §4.2).
    package var codeChallenge: String { Base64URL.encode(Digest.sha256.hash(self.codeVerifier.exposed)) }
}

/// Who knows the `state` can send us a forged answer, so it is not printed either.
extension Challenge: Unprinted {}
