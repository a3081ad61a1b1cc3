/// What a header says of a key that two parties agreed on (RFC 7518 §4.6.1).
import Base
import Cryptography
import StrictJSON

struct KeyAgreement: Sendable {
    let ephemeralKey: PublicKey
    private let partyU: [UInt8]
    private let partyV: [UInt8]

    /// A point that is not on its curve would give our private key away piece by piece; `PublicKey` refuses it.
    init(_ header: JSON.Object) throws(JWEError) {
        guard let members = header["epk"]?.object, let material = try? KeyMaterial(members),
            KeyManagementAlgorithm.ecdhES.fits(material.kind), let key = PublicKey(material)
        else { throw .malformed }
        try self.init(key, header)
    }

    /// With a key of our own. `header` says who the parties are.
    init(_ ephemeralKey: PublicKey, _ header: JSON.Object) throws(JWEError) {
        self.ephemeralKey = ephemeralKey
        self.partyU = try Self.bytes("apu", in: header)
        self.partyV = try Self.bytes("apv", in: header)
    }

    /// The agreed key of the one who has `privateKey`, made from the public half of the other. Nil when they are not of
    /// one curve.
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
