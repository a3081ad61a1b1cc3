/// Signs JWTs (RFC 7519) with one key and one algorithm.

package struct JWTSigner: Sendable {
    package let key: PrivateKey
    package let algorithm: SignatureAlgorithm
    package let keyID: String?

    /// Fails with `.algorithm` when the key cannot make such signatures.
    package init(key: PrivateKey, algorithm: SignatureAlgorithm, keyID: String?) throws(PrivateKey.Failure) {
        guard key.publicKey.fits(algorithm) else { throw .algorithm }
        self.key = key
        self.algorithm = algorithm
        self.keyID = keyID
    }

    /// How the key is published.
    package var jwk: JWK { self.key.publicKey.jwk(keyID: self.keyID, algorithm: self.algorithm) }

    /// The token. `type` becomes `typ`, which keeps tokens for different purposes apart (RFC 8725 §3.11).
    package func sign(_ claims: JSON.Object, type: String? = nil) throws(PrivateKey.Failure) -> String {
        var header: JSON.Object = ["alg": .string(self.algorithm.rawValue)]
        header["typ"] = type.map(JSON.string)
        header["kid"] = self.keyID.map(JSON.string)
        let input = Self.part(header) + "." + Self.part(claims)
        let signature = try self.key.sign(Array(input.utf8), with: self.algorithm)
        return input + "." + Base64URL.encode(signature)
    }

    private static func part(_ object: JSON.Object) -> String { Base64URL.encode(JSON.object(object).encoded()) }
}
