/// How a published key or a token's header may spell its values.
package enum Spelling: Sendable {
    /// Only as the specifications write them. Everything that apps and phones send is read like this.
    case exact
    /// Also as some providers write the same values:
    /// - `null` for an optional member that is absent;
    /// - base64url with its padding;
    /// - `n` and `e` of an RSA key with leading zero bytes (as Java's `BigInteger.toByteArray` makes them), and the
    ///   coordinates of a point without theirs.
    case provider
}
