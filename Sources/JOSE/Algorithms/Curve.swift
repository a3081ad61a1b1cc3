/// The elliptic curves of ECDSA and ECDH, by their JOSE names (RFC 7518 §6.2.1.1).
enum Curve: String, CaseIterable, Sendable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// Every coordinate is written with this many bytes (RFC 7518 §6.2.1.2), and so is each half of a signature.
    var coordinateByteCount: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    var kind: KeyKind {
        switch self {
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        }
    }
}

/// The kind of a key: its mathematics and its size.
package enum KeyKind: Equatable, Sendable {
    case rsa(bits: Int)
    case p256
    case p384
    case p521
    case ed25519

    /// A smaller RSA key is not safe (RFC 7518 §3.3). With a larger one, a stranger's token costs too much time to
    /// verify.
    static let rsaBits = 2048...8192

    /// Whether it is no RSA key, or one of these sizes.
    var hasRightSize: Bool {
        guard case .rsa(let bits) = self else { return true }
        return Self.rsaBits.contains(bits)
    }
}
