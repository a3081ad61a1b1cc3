/// Reads the numbers of a public key from the members of a JWK (RFC 7518 §6, RFC 8037 §2).
import Base
import StrictJSON

extension KeyMaterial {
    /// The members of a private or symmetric key. A published key must not contain any of them.
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    init(_ members: JSON.Object) throws(JWKError) {
        guard !Self.privateMembers.contains(where: { members[$0] != nil }) else { throw .privateMember }
        switch members["kty"]?.string {
        case "RSA": self = try Self.rsa(members)
        case "EC": self = try Self.ellipticCurve(members)
        case "OKP": self = try Self.ed25519(members)
        case nil: throw .malformed
        default: throw .unsupported
        }
    }

    private static func rsa(_ members: JSON.Object) throws(JWKError) -> KeyMaterial {
        let modulus = try self.number(members["n"])
        let exponent = try self.number(members["e"])
        let material = KeyMaterial.rsa(modulus: modulus, exponent: exponent)
        guard case .rsa(let bits) = material.kind, KeyKind.rsaBits.contains(bits) else { throw .badSize }
        // An even modulus or exponent is not RSA, and with exponent 1 every message is its own signature. libcrypto
        // accepts no exponent above 64 bits with large keys, and no provider uses one.
        guard let lowest = modulus.last, lowest & 1 == 1, let last = exponent.last, last & 1 == 1, exponent != [1],
            exponent.count <= 8
        else { throw .badNumber }
        return material
    }

    private static func ellipticCurve(_ members: JSON.Object) throws(JWKError) -> KeyMaterial {
        guard let name = members["crv"]?.string else { throw .malformed }
        guard let curve = Curve(rawValue: name) else { throw .unsupported }
        let x = try self.bytes(members["x"])
        let y = try self.bytes(members["y"])
        guard x.count == curve.coordinateByteCount, y.count == x.count else { throw .badSize }
        return .ellipticCurve(curve, x: x, y: y)
    }

    private static func ed25519(_ members: JSON.Object) throws(JWKError) -> KeyMaterial {
        guard let name = members["crv"]?.string else { throw .malformed }
        guard name == "Ed25519" else { throw .unsupported }
        let x = try self.bytes(members["x"])
        guard x.count == self.ed25519ByteCount else { throw .badSize }
        return .ed25519(x)
    }

    /// Reads a Base64urlUInt, which has only as many bytes as the number needs (RFC 7518 §2).
    private static func number(_ member: JSON?) throws(JWKError) -> [UInt8] {
        let bytes = try self.bytes(member)
        guard let first = bytes.first, first != 0 else { throw .badNumber }
        return bytes
    }

    private static func bytes(_ member: JSON?) throws(JWKError) -> [UInt8] {
        guard let text = member?.string, let bytes = Base64URL.decode(text) else { throw .malformed }
        return bytes
    }
}
