import Base
import Cryptography
import StrictJSON

/// The header members of a key agreement between two parties (RFC 7518 §4.6.1).
struct KeyAgreement: Sendable {
    let ephemeralKey: PublicKey
    private let partyU: [UInt8]
    private let partyV: [UInt8]

    /// A point that is not on its curve would reveal our private key piece by piece; `PublicKey` refuses it.
    init(_ header: JSON.Object, spelling: Spelling) throws(JWEError) {
        guard let members = header["epk"]?.object, let material = try? KeyMaterial(members, spelling),
            KeyManagementAlgorithm.ecdhES.fits(material.kind), let key = PublicKey(material)
        else { throw .malformed }
        try self.init(key, header)
    }

    /// Uses a key of our own. `header` names the parties.
    init(_ ephemeralKey: PublicKey, _ header: JSON.Object) throws(JWEError) {
        self.ephemeralKey = ephemeralKey
        self.partyU = try Self.bytes("apu", in: header)
        self.partyV = try Self.bytes("apv", in: header)
    }

    /// Returns the agreed key, made from one party's private key and the other's public key. Returns nil if they are
    /// not on the same curve.
    func key(_ byteCount: Int, for name: String, of privateKey: PrivateKey, with other: PublicKey) -> Secret? {
        privateKey.agree(with: other).map {
            ConcatKDF.derive(byteCount, from: $0, algorithm: name, partyU: self.partyU, partyV: self.partyV)
        }
    }

    private static func bytes(_ name: String, in header: JSON.Object) throws(JWEError) -> [UInt8] {
        guard let member = header[name] else { return [] }
        guard let text = member.string, let bytes = Base64URL.decode(text) else { throw .malformed }
        return bytes
    }
}
