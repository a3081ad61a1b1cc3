import Base
import StrictJSON

/// The numbers of a public key, big-endian, as a JWK writes them.
enum KeyMaterial: Equatable, Sendable {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    case ellipticCurve(Curve, x: [UInt8], y: [UInt8])
    case ed25519([UInt8])

    static let ed25519ByteCount = 32

    var kind: KeyKind {
        switch self {
        case .rsa(let modulus, _): .rsa(bits: Self.bitCount(modulus))
        case .ellipticCurve(let curve, _, _): curve.kind
        case .ed25519: .ed25519
        }
    }

    /// The members that define the key, in the order that RFC 7638 §3.2 requires for a thumbprint. It is alphabetical
    /// for Ed25519 too (RFC 8037 §2).
    var members: JSON.Object {
        switch self {
        case .rsa(let modulus, let exponent):
            ["e": .string(Base64URL.encode(exponent)), "kty": "RSA", "n": .string(Base64URL.encode(modulus))]
        case .ellipticCurve(let curve, let x, let y):
            [
                "crv": .string(curve.rawValue), "kty": "EC", "x": .string(Base64URL.encode(x)),
                "y": .string(Base64URL.encode(y)),
            ]
        case .ed25519(let x):
            ["crv": "Ed25519", "kty": "OKP", "x": .string(Base64URL.encode(x))]
        }
    }

    /// The exact number of bytes in a signature made with this key.
    var signatureByteCount: Int {
        switch self {
        case .rsa(let modulus, _): modulus.count
        case .ellipticCurve(let curve, _, _): 2 * curve.coordinateByteCount
        case .ed25519: 64
        }
    }

    /// Returns the bits of a number that has no leading zero bytes.
    private static func bitCount(_ number: [UInt8]) -> Int {
        guard let first = number.first else { return 0 }
        return number.count * 8 - first.leadingZeroBitCount
    }
}
