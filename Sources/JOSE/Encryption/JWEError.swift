/// The validation errors of an encrypted token (RFC 7516).
package enum JWEError: String, Error, CaseIterable, Sendable {
    /// The token is longer than any that we expect.
    case tooLarge
    /// Not five parts of base64url with the required header members, or a part has the wrong length.
    case malformed
    /// The header asks for something that changes the meaning of the token (`crit`, RFC 7516 §4.1.13).
    case criticalHeader
    /// An `alg`, `enc` or `zip` that we do not know, or that this sender must not use.
    case algorithmNotAllowed
    /// None of our keys fits.
    case unknownKey
    /// The token was changed, or is not for us. This is one case for everything that takes a key to find out, because
    /// the sender must not learn which (RFC 7516 §11.5).
    case decryption
}
