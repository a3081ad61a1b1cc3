import Base

/// A key that signs or decrypts.
package final class PrivateKey: Sendable {
    package typealias Kind = KeyKind

    package let publicKey: PublicKey
    private let key: OpenSSLKey

    /// Reads PKCS#8 (`PRIVATE KEY`), PKCS#1 (`RSA PRIVATE KEY`) or SEC1 (`EC PRIVATE KEY`), unencrypted.
    package convenience init(pem: Secret) throws(PrivateKeyError) {
        guard let key = OpenSSLKey(pem: pem) else { throw .malformed }
        try self.init(key)
    }

    package static func generate(_ kind: Kind) throws(PrivateKeyError) -> PrivateKey {
        if case .rsa(let bits) = kind, !KeyKind.rsaBits.contains(bits) { throw .badSize }
        guard let key = OpenSSLKey(generating: kind) else { throw .library }
        return try PrivateKey(key)
    }

    private init(_ key: OpenSSLKey) throws(PrivateKeyError) {
        guard let material = key.publicMaterial() else { throw .unsupported }
        if case .rsa(let bits) = material.kind, !KeyKind.rsaBits.contains(bits) { throw .badSize }
        guard let publicKey = PublicKey(material) else { throw .malformed }
        self.key = key
        self.publicKey = publicKey
        try self.checkHalves()
    }

    package var kind: Kind { self.publicKey.kind }

    /// The key as PKCS#8.
    package var pem: Secret { self.key.pem() }

    package func sign(_ message: [UInt8], with algorithm: SignatureAlgorithm) throws(PrivateKeyError) -> [UInt8] {
        guard self.publicKey.fits(algorithm) else { throw .algorithm }
        guard let signature = self.key.sign(message, algorithm.scheme) else { throw .library }
        return signature
    }

    /// Returns nil unless the ciphertext was encrypted to this key.
    func decrypt(_ ciphertext: [UInt8], _ digest: KeyManagementAlgorithm.OAEPDigest) -> Secret? {
        guard self.publicKey.isRSA else { return nil }
        return self.key.decrypt(ciphertext, digest).map(Secret.init)
    }

    /// Returns the secret that only the owners of these two keys can compute (RFC 7518 §4.6), or nil if they are not on
    /// the same curve.
    package func agree(with other: PublicKey) -> Secret? {
        guard self.kind == other.kind, KeyManagementAlgorithm.ecdhES.fits(self.kind) else { return nil }
        return self.key.agree(with: other.key).map(Secret.init)
    }

    /// Refuses a file with halves of two keys, whose signatures could never be verified.
    private func checkHalves() throws(PrivateKeyError) {
        guard let algorithm = SignatureAlgorithm.allCases.first(where: self.publicKey.fits) else { throw .unsupported }
        let message = Array("the halves of a key belong together".utf8)
        guard let signature = self.key.sign(message, algorithm.scheme),
            self.publicKey.verify(signature, of: message, with: algorithm)
        else { throw .mismatch }
    }
}

/// Why there is no private key, or no signature with it.
package enum PrivateKeyError: String, Error, CaseIterable, Sendable {
    /// Not one PEM block with an unencrypted private key.
    case malformed
    /// A kind of key or a curve that we do not use.
    case unsupported
    /// RSA below 2048 bits, or larger than anyone needs.
    case badSize
    /// The private half does not belong to the public half.
    case mismatch
    /// The key cannot make a signature of that algorithm.
    case algorithm
    /// libcrypto refused, which should not happen.
    case library
}
