/// The rule of RFC 9449 §4.3 that a DPoP proof fails.
package enum DPoPError: String, Error, CaseIterable, Sendable {
    /// There is no DPoP header.
    case missing
    /// Rule 1: more than one DPoP header.
    case several
    /// Rules 2 and 3: not one JWT with the claims of §4.2, or one of them has the wrong form.
    case malformed
    /// Rule 4: `typ` is not `dpop+jwt`.
    case wrongType = "wrong_type"
    /// Rule 5: `alg` is not ES256.
    case algorithm
    /// Rules 6 and 7: `jwk` is missing, is no P-256 key, or has a private member.
    case key
    /// Rule 6: the key did not sign the proof.
    case signature
    /// Rule 8: `htm` is another method.
    case method
    /// Rule 9: `htu` is another URL.
    case url
    /// Rules 10 and 11: the nonce is missing, too old, or not ours (`use_dpop_nonce`).
    case nonce
    /// Rule 12: `ath` is not the hash of the access token.
    case accessTokenHash = "access_token_hash"
    /// Rule 12: the access token is bound to another key.
    case keyMismatch = "key_mismatch"
}

extension DPoPError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing: "the request has no DPoP header: send a proof"
        case .several: "the request has several DPoP headers: send one"
        case .malformed: "the DPoP proof is not a JWT with jti, htm, htu and iat: see RFC 9449 section 4.2"
        case .wrongType: "the DPoP proof has another typ than dpop+jwt"
        case .algorithm: "the DPoP proof is not signed with ES256"
        case .key: "the jwk of the DPoP proof is not a public P-256 key"
        case .signature: "the key of the DPoP proof did not sign it"
        case .method: "htm is not the method of the request"
        case .url: "htu is not the URL of the request, without query and fragment"
        case .nonce: "the nonce is missing or too old: use that of the header DPoP-Nonce"
        case .accessTokenHash: "ath is not the hash of the access token"
        case .keyMismatch: "the access token is bound to another key"
        }
    }
}
