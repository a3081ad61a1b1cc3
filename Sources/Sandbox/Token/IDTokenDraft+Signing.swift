/// From a draft to a compact JWS, right or wrong as the draft says.
import JOSE

extension IDTokenDraft {
    func signed(with key: SigningKey) throws -> String {
        switch self.signature {
        case .right: try self.rightlySigned(with: key)
        case .spoiled: Self.spoiled(try self.rightlySigned(with: key))
        case .absent: self.unsigned + "."
        case .publicKeyAsSecret: self.signedAsIfSymmetric(with: key)
        }
    }

    private func rightlySigned(with key: SigningKey) throws -> String {
        let keyID = self.namesKey ? key.keyID : nil
        let signer = try JWTSigner(key: key.key, algorithm: self.algorithm, keyID: keyID)
        return try signer.sign(self.claims, type: self.type)
    }

    private static func spoiled(_ token: String) -> String {
        guard let dot = token.lastIndex(of: "."), var signature = Base64URL.decode(token[token.index(after: dot)...]),
            let byte = signature.indices.last
        else { return token }
        signature[byte] ^= 1
        return token[...dot] + Base64URL.encode(signature)
    }

    /// Header and claims under `alg: none`.
    private var unsigned: String { self.twoParts(header: ["alg": "none", "typ": "JWT"]) }

    private func signedAsIfSymmetric(with key: SigningKey) -> String {
        let parts = self.twoParts(header: ["alg": "HS256", "typ": "JWT", "kid": .string(key.keyID)])
        let secret = Secret(key.published.json.encoded())
        return parts + "." + Base64URL.encode(HMAC.code(Array(parts.utf8), key: secret))
    }

    private func twoParts(header: JSON.Object) -> String {
        [header, self.claims].map { Base64URL.encode(JSON.object($0).encoded()) }.joined(separator: ".")
    }
}
