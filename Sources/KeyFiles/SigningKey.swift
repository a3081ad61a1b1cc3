import JOSE

/// One of our private keys, and what it is used for.
package struct SigningKey: Sendable {
    package let key: PrivateKey
    /// The only algorithm for this key; nil if it may be used with every one that fits.
    package let algorithm: SignatureAlgorithm?
    /// The `kid` of the configuration, or the key's thumbprint (RFC 7638), which is the same on every machine.
    package let keyID: String

    /// Returns nil if the key cannot make such signatures.
    package init?(_ key: PrivateKey, algorithm: SignatureAlgorithm? = nil, keyID: String? = nil) {
        if let algorithm, !key.publicKey.fits(algorithm) { return nil }
        self.key = key
        self.algorithm = algorithm
        self.keyID = keyID ?? key.publicKey.jwk(keyID: nil).thumbprint
    }

    /// Identifies the key itself, whatever its name.
    package var thumbprint: String { self.key.publicKey.jwk(keyID: nil).thumbprint }

    /// The public half, for publication.
    package var jwk: JWK {
        self.key.publicKey.jwk(keyID: self.keyID, algorithm: self.algorithm)
    }

    /// The algorithm for this key if the caller names none.
    package var usualAlgorithm: SignatureAlgorithm? {
        self.algorithm ?? SignatureAlgorithm.allCases.first { self.key.publicKey.fits($0) }
    }

    package func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        self.algorithm.map { $0 == algorithm } ?? self.key.publicKey.fits(algorithm)
    }
}

extension [SigningKey] {
    /// Returns a signer with the first key that fits. Without an algorithm, it uses the usual one of the first key.
    package func signer(_ algorithm: SignatureAlgorithm?) -> JWTSigner? {
        guard let algorithm = algorithm ?? self.first?.usualAlgorithm,
            let signingKey = self.first(where: { $0.fits(algorithm) })
        else { return nil }
        return try? JWTSigner(key: signingKey.key, algorithm: algorithm, keyID: signingKey.keyID)
    }
}
