// Reads the numbers of a public key from the members of a JWK (RFC 7518 §6, RFC 8037 §2).

import Base
import StrictJSON

extension KeyMaterial {
    /// The members of a private or symmetric key. A published key must not contain any of them.
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    init(_ members: JSON.Object, _ spelling: Spelling) throws(JWKError) {
        guard !Self.privateMembers.contains(where: { members[$0] != nil }) else { throw .privateMember }
        switch members["kty"]?.string {
        case "RSA": self = try Self.rsa(members, spelling)
        case "EC": self = try Self.ellipticCurve(members, spelling)
        case "OKP": self = try Self.ed25519(members, spelling)
        case nil: throw .malformed
        default: throw .unsupported
        }
    }

    private static func rsa(_ members: JSON.Object, _ spelling: Spelling) throws(JWKError) -> KeyMaterial {
        let modulus = try self.number(members["n"], spelling)
        let exponent = try self.number(members["e"], spelling)
        let material = KeyMaterial.rsa(modulus: modulus, exponent: exponent)
        guard material.kind.hasRightSize else { throw .badSize }
        // An even modulus or exponent is not RSA, and with exponent 1 every message is its own signature. libcrypto
        // accepts no exponent above 64 bits with large keys, and no provider uses one.
        guard let lowest = modulus.last, lowest & 1 == 1, let last = exponent.last, last & 1 == 1, exponent != [1],
            exponent.count <= 8
        else { throw .badNumber }
        return material
    }

    private static func ellipticCurve(_ members: JSON.Object, _ spelling: Spelling) throws(JWKError) -> KeyMaterial {
        guard let name = members["crv"]?.string else { throw .malformed }
        guard let curve = Curve(rawValue: name) else { throw .unsupported }
        let x = try self.coordinate(members["x"], of: curve, spelling)
        let y = try self.coordinate(members["y"], of: curve, spelling)
        return .ellipticCurve(curve, x: x, y: y)
    }

    private static func ed25519(_ members: JSON.Object, _ spelling: Spelling) throws(JWKError) -> KeyMaterial {
        guard let name = members["crv"]?.string else { throw .malformed }
        guard name == "Ed25519" else { throw .unsupported }
        let x = try self.bytes(members["x"], spelling)
        guard x.count == self.ed25519ByteCount else { throw .badSize }
        return .ed25519(x)
    }

    /// Reads a Base64urlUInt, which has only as many bytes as the number needs (RFC 7518 §2).
    private static func number(_ member: JSON?, _ spelling: Spelling) throws(JWKError) -> [UInt8] {
        var bytes = try self.bytes(member, spelling)
        // Before the checks of size, parity and exponent 1, so that they see the number and not its spelling.
        if spelling == .provider { bytes = Array(bytes.drop { $0 == 0 }) }
        guard let first = bytes.first, first != 0 else { throw .badNumber }
        return bytes
    }

    /// Reads a coordinate, which has all its leading zeros (RFC 7518 §6.2.1.2).
    private static func coordinate(
        _ member: JSON?, of curve: Curve, _ spelling: Spelling
    ) throws(JWKError) -> [UInt8] {
        let bytes = try self.bytes(member, spelling)
        let missing = curve.coordinateByteCount - bytes.count
        guard missing != 0 else { return bytes }
        // A provider that leaves them out leaves out all of them.
        guard spelling == .provider, missing > 0, let first = bytes.first, first != 0 else { throw .badSize }
        return [UInt8](repeating: 0, count: missing) + bytes
    }

    private static func bytes(_ member: JSON?, _ spelling: Spelling) throws(JWKError) -> [UInt8] {
        guard var text = member?.string else { throw .malformed }
        if spelling == .provider { text = Self.withoutPadding(text) }
        guard let bytes = Base64URL.decode(text) else { throw .malformed }
        return bytes
    }

    /// Removes the padding of base64 if it is the right one (RFC 4648 §3.2): the text then has a multiple of four
    /// characters.
    private static func withoutPadding(_ text: String) -> String {
        let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard 1...2 ~= padding, text.utf8.count % 4 == 0 else { return text }
        return String(text.dropLast(padding))
    }
}
