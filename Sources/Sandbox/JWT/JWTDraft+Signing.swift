/// From a draft to a compact JWS, right or wrong as the draft says.
import Base
import Cryptography
import JOSE
import StrictJSON

extension JWTDraft {
    func signed(with key: SigningKey) throws -> String {
        switch self.signature {
        case .right: try self.rightlySigned(with: key)
        case .spoiled: Self.spoiled(try self.rightlySigned(with: key))
        case .absent: self.twoParts(header: ["alg": "none", "typ": "JWT"]) + "."
        case .publicKeyAsSecret: self.signedAsIfSymmetric(Secret(key.published.json.encoded()), key)
        case .unknownSecret: self.signedAsIfSymmetric(Secret(RandomBytes.make(32)), key)
        }
    }

    private func rightlySigned(with key: SigningKey) throws -> String {
        let keyID = self.namesKey ? key.keyID : nil
        let signer = try JWTSigner(key: key.key, algorithm: self.algorithm, keyID: keyID)
        return try signer.sign(self.claims, type: self.type)
    }

    /// The same, with another last bit.
    static func spoiled(_ token: String) -> String {
        guard let dot = token.lastIndex(of: "."), var bytes = Base64URL.decode(token[token.index(after: dot)...]),
            let last = bytes.indices.last
        else { return token }
        bytes[last] ^= 1
        return token[...dot] + Base64URL.encode(bytes)
    }

    private func signedAsIfSymmetric(_ secret: Secret, _ key: SigningKey) -> String {
        let parts = self.twoParts(header: ["alg": "HS256", "typ": "JWT", "kid": .string(key.keyID)])
        return parts + "." + Base64URL.encode(HMAC.code(Array(parts.utf8), key: secret))
    }

    private func twoParts(header: JSON.Object) -> String {
        [header, self.claims].map { Base64URL.encode(JSON.object($0).encoded()) }.joined(separator: ".")
    }
}
