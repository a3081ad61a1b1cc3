import Base

/// A key that verifies or encrypts.
///
/// It is a class because libcrypto's form of the key is made once and shared.
package final class PublicKey: Sendable {
    let material: KeyMaterial
    let key: OpenSSLKey

    /// Returns nil for numbers that make no valid key, such as a point that is not on its curve.
    init?(_ material: KeyMaterial) {
        guard let key = OpenSSLKey(material) else { return nil }
        self.material = material
        self.key = key
    }

    package var kind: KeyKind { self.material.kind }

    var isRSA: Bool {
        guard case .rsa = self.material else { return false }
        return true
    }

    /// Whether this kind of key fits the algorithm.
    package func fits(_ algorithm: SignatureAlgorithm) -> Bool { algorithm.fits(self.kind) }

    /// Also returns false if the key does not fit the algorithm.
    package func verify(_ signature: [UInt8], of message: [UInt8], with algorithm: SignatureAlgorithm) -> Bool {
        guard self.fits(algorithm), signature.count == self.material.signatureByteCount else { return false }
        return self.key.verify(signature, of: message, algorithm.scheme)
    }

    /// Returns nil if this is not an RSA key.
    func encrypt(_ plaintext: Secret, _ digest: KeyManagementAlgorithm.OAEPDigest) -> [UInt8]? {
        self.isRSA ? self.key.encrypt(plaintext.exposed, digest) : nil
    }

    /// Returns the key in the form for publication.
    package func jwk(keyID: String?, use: String? = "sig", algorithm: SignatureAlgorithm? = nil) -> JWK {
        JWK(self, keyID: keyID, use: use, algorithm: algorithm?.rawValue)
    }
}
