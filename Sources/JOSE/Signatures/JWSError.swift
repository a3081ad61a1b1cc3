/// What can be wrong with a signed token (RFC 7515).
package enum JWSError: String, Error, CaseIterable, Sendable {
    /// Longer than any token that we expect.
    case tooLarge
    /// Not three parts of base64url, the first a JSON object with the members it must have.
    case malformed
    /// The header asks for something that changes what the token means (`crit`, `b64`): RFC 7515 §4.1.11.
    case criticalHeader
    /// `none`, an algorithm we do not know, or one that this sender must not use.
    case algorithmNotAllowed
    /// No key of the set fits. Fetching the set again may help.
    case unknownKey
    /// Several keys fit, and the token does not say which.
    case ambiguousKey
    case badSignature
    /// The payload is not a JSON object.
    case badClaims
}
