/// The validation errors of a signed token (RFC 7515).
package enum JWSError: String, Error, CaseIterable, Sendable {
    /// The token is longer than any that we expect.
    case tooLarge
    /// Not three parts of base64url, or the first is not a JSON object with the required members.
    case malformed
    /// The header asks for something that changes the meaning of the token (`crit`, `b64`, RFC 7515 §4.1.11).
    case criticalHeader
    /// `none`, an algorithm that we do not know, or one that this sender must not use.
    case algorithmNotAllowed
    /// No key of the set fits. Fetching the set again may help.
    case unknownKey
    /// Several keys fit, and the token does not say which.
    case ambiguousKey
    case badSignature
    /// The payload is not a JSON object.
    case badClaims
}
