/// What can be wrong with an encrypted token (RFC 7516).
package enum JWEError: String, Error, CaseIterable, Sendable {
    /// Longer than any token that we expect.
    case tooLarge
    /// Not five parts of base64url with a header that has what it must, or a part that is not of its length.
    case malformed
    /// The header asks for something that changes what the token means (`crit`): RFC 7516 §4.1.13.
    case criticalHeader
    /// An `alg`, `enc` or `zip` that we do not know, or one that this sender must not use.
    case algorithmNotAllowed
    /// No key of ours fits.
    case unknownKey
    /// Changed, or not for us: one word for everything that only a key can find out, because whoever sent it must
    /// not learn which (RFC 7516 §11.5).
    case decryption
}
