/// What a key is: the kind of mathematics, and its size.

package enum KeyKind: Equatable, Sendable {
    case rsa(bits: Int)
    case p256
    case p384
    case p521
    case ed25519

    /// Below, RSA is not safe (RFC 7518 §3.3); above, one verification takes longer than a stranger may cost us.
    static let rsaBits = 2048...8192
}
