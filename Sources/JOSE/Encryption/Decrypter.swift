import Base

/// Decrypts tokens that were encrypted to us (RFC 7516 §5.2).
package struct Decrypter: Sendable {
    private let keys: [DecryptionKey]
    private let algorithms: Set<KeyManagementAlgorithm>
    private let encryptions: Set<ContentEncryption>

    package init(
        keys: [DecryptionKey], algorithms: Set<KeyManagementAlgorithm>, encryptions: Set<ContentEncryption>
    ) {
        self.keys = keys
        self.algorithms = algorithms
        self.encryptions = encryptions
    }

    /// Uses the key that the token names. If it names none, every key that fits is tried.
    package func decrypt(_ compact: String, spelling: Spelling = .exact) throws(JWEError) -> DecryptedJWE {
        let token = try CompactJWE(parsing: compact, spelling: spelling)
        let (algorithm, encryption) = try token.methods(amongst: self.algorithms, self.encryptions)
        guard encryption.hasItsLengths(token.content) else { throw .malformed }
        let encryptedKey = try EncryptedKey(token, algorithm, encryption, spelling: spelling)
        let keys = self.keys.filter { $0.isNamed(token.header.keyID) && encryptedKey.fits($0) }
        guard !keys.isEmpty else { throw .unknownKey }
        for key in keys {
            let contentKey = encryptedKey.contentKey(with: key)
            if let plaintext = encryption.open(token.content, key: contentKey, additional: token.additional) {
                return DecryptedJWE(header: token.header, plaintext: Secret(plaintext))
            }
        }
        throw .decryption
    }

    /// The public halves of all keys that an allowed algorithm can use, for publication.
    package var jwks: JWKSet {
        JWKSet(
            self.keys.compactMap { key in
                guard case .key(let privateKey) = key.material else { return nil }
                let algorithms = self.algorithms.filter { $0.fits(privateKey.kind) }
                guard let first = algorithms.first else { return nil }
                // If there is only one algorithm, the sender need not guess.
                let only = algorithms.count == 1 ? first.rawValue : nil
                return JWK(privateKey.publicKey, keyID: key.keyID, use: "enc", algorithm: only)
            })
    }

    /// Whether the token has the form of an encrypted one: five parts (RFC 7516 §9).
    package static func isEncrypted(_ compact: String) -> Bool {
        var compact = compact
        return compact.withUTF8 { bytes in bytes.count { $0 == UInt8(ascii: ".") } } == 4
    }
}

extension DecryptionKey {
    fileprivate func isNamed(_ name: String?) -> Bool {
        guard let name else { return true }
        return self.keyID.map { identical($0, name) } ?? false
    }
}

/// A token that was encrypted to us, and its decrypted content. Only `Decrypter` makes one.
///
/// Successful decryption does not prove who encrypted it: everyone may know a public key.
package struct DecryptedJWE: Sendable {
    package let header: JOSEHeader
    package let plaintext: Secret

    init(header: JOSEHeader, plaintext: Secret) {
        self.header = header
        self.plaintext = plaintext
    }
}

/// A key that decrypts what others encrypt to us.
package struct DecryptionKey: Sendable {
    enum Material: Sendable {
        case key(PrivateKey)
        /// A shared secret, for `dir`.
        case secret(Secret)
    }

    let material: Material
    package let keyID: String?

    package init(_ key: PrivateKey, keyID: String?) {
        self.material = .key(key)
        self.keyID = keyID
    }

    /// Uses the bytes as they are. The content encryption must need exactly that many.
    package init(_ secret: Secret, keyID: String?) {
        self.material = .secret(secret)
        self.keyID = keyID
    }
}
