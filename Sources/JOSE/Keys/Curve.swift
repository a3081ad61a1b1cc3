/// The elliptic curves of ECDSA and ECDH, by their JOSE names (RFC 7518 §6.2.1.1).

enum Curve: String, CaseIterable, Sendable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// A coordinate is always written with this many bytes (RFC 7518 §6.2.1.2), and so is each half of a signature.
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
