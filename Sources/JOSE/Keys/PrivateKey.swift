import Base

/// A key that signs or decrypts.
package final class PrivateKey: Sendable {
    package typealias Kind = KeyKind

    package let publicKey: PublicKey
    private let key: OpenSSLKey

    /// Reads PKCS#8 (`PRIVATE KEY`), PKCS#1 (`RSA PRIVATE KEY`) or SEC1 (`EC PRIVATE KEY`), unencrypted.
    package convenience init(pem: Secret) throws(FileError) {
        guard let key = OpenSSLKey(pem: pem) else { throw .notOneKey }
        guard let material = key.publicMaterial() else { throw .unsupportedKey }
        guard material.kind.hasRightSize else { throw .badKeySize }
        guard let publicKey = PublicKey(material) else { throw .notOneKey }
        // The file may contain halves of two keys, whose signatures could never be verified.
        guard Self.belongTogether(key, publicKey) else { throw .halvesOfTwoKeys }
        self.init(key, publicKey)
    }

    package static func generate(_ kind: Kind) throws(OperatorError) -> PrivateKey {
        guard kind.hasRightSize else {
            throw OperatorError("an RSA key has \(KeyKind.rsaBits.lowerBound) to \(KeyKind.rsaBits.upperBound) bits")
        }
        guard let key = OpenSSLKey(generating: kind), let publicKey = key.publicMaterial().flatMap(PublicKey.init),
            Self.belongTogether(key, publicKey)
        else { throw OperatorError("libcrypto could not make the key") }
        return PrivateKey(key, publicKey)
    }

    private init(_ key: OpenSSLKey, _ publicKey: PublicKey) {
        self.key = key
        self.publicKey = publicKey
    }

    package var kind: Kind { self.publicKey.kind }

    /// The key as PKCS#8.
    package var pem: Secret { self.key.pem() }

    /// Throws an error if the key cannot make a signature of this algorithm.
    package func sign(_ message: [UInt8], with algorithm: SignatureAlgorithm) throws(OperatorError) -> [UInt8] {
        guard self.publicKey.fits(algorithm) else { throw .unfitKey(for: algorithm) }
        guard let signature = self.key.sign(message, algorithm.scheme) else {
            throw OperatorError("libcrypto could not sign with \(algorithm.rawValue)")
        }
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

    private static func belongTogether(_ key: OpenSSLKey, _ publicKey: PublicKey) -> Bool {
        guard let algorithm = SignatureAlgorithm.allCases.first(where: publicKey.fits) else { return false }
        let message = Array("the halves of a key belong together".utf8)
        guard let signature = key.sign(message, algorithm.scheme) else { return false }
        return publicKey.verify(signature, of: message, with: algorithm)
    }
}

extension OperatorError {
    static func unfitKey(for algorithm: SignatureAlgorithm) -> Self {
        Self("the key cannot make a signature of \(algorithm.rawValue)")
    }
}

extension FileError {
    fileprivate static let notOneKey = Self("does not contain one private key in PEM without a password")
    fileprivate static let unsupportedKey = Self("is a kind of key that Switchback does not use")
    fileprivate static let badKeySize = Self(
        "is an RSA key that is too small or too large; it must have at least \(KeyKind.rsaBits.lowerBound) bits")
    fileprivate static let halvesOfTwoKeys = Self("contains halves of two different keys")
}
