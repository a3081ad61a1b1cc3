import Base
import Cryptography

/// The content key of one encrypted token: its second part, and what the header says about it.
struct EncryptedKey: Sendable {
    private let algorithm: KeyManagementAlgorithm
    private let encryption: ContentEncryption
    private let agreement: KeyAgreement?
    private let bytes: [UInt8]

    init(
        _ token: CompactJWE, _ algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryption,
        spelling: Spelling
    ) throws(JWEError) {
        self.algorithm = algorithm
        self.encryption = encryption
        self.bytes = token.encryptedKey
        switch algorithm.scheme {
        case .rsaOAEP, .direct: self.agreement = nil
        case .agreement, .agreementAndWrapping: self.agreement = try KeyAgreement(token.header.json, spelling: spelling)
        }
        guard self.isOfItsLength else { throw .malformed }
    }

    /// Whether the length is right (RFC 7516 §5.2 steps 9 and 10, RFC 3394 §2.2.1). For RSA it depends on the key.
    private var isOfItsLength: Bool {
        switch self.algorithm.scheme {
        case .rsaOAEP: true
        case .agreement, .direct: self.bytes.isEmpty
        case .agreementAndWrapping: self.bytes.count == self.encryption.keyByteCount + 8
        }
    }

    /// Whether it can have been made for this key.
    func fits(_ key: DecryptionKey) -> Bool {
        switch key.material {
        case .secret(let secret): self.algorithm == .direct && secret.count == self.encryption.keyByteCount
        case .key(let key):
            self.algorithm.fits(key.kind) && (self.agreement.map { $0.ephemeralKey.kind == key.kind } ?? true)
        }
    }

    /// Returns the content key. If the token was not made for `key`, or was changed, returns a random key.
    ///
    /// The content then fails to decrypt, as it would with a wrong tag, and neither our response nor its time reveals
    /// which it was (RFC 7516 §11.5). So a stranger cannot decrypt with the help of our responses.
    func contentKey(with key: DecryptionKey) -> Secret {
        let count = self.encryption.keyByteCount
        let madeUp = Secret(RandomBytes.make(count))
        guard let contentKey = self.decrypted(with: key), contentKey.count == count else { return madeUp }
        return contentKey
    }

    private func decrypted(with key: DecryptionKey) -> Secret? {
        switch (self.algorithm.scheme, key.material) {
        case (.rsaOAEP(let digest), .key(let key)): key.decrypt(self.bytes, digest)
        case (.agreement, .key(let key)): self.agreed(self.encryption.keyByteCount, self.encryption.rawValue, key)
        case (.agreementAndWrapping(let byteCount), .key(let key)):
            self.agreed(byteCount, self.algorithm.rawValue, key).flatMap {
                OpenSSLBlockCipher.unwrap(self.bytes, with: $0)
            }
        case (.direct, .secret(let secret)): secret
        case (.direct, .key), (.rsaOAEP, .secret), (.agreement, .secret), (.agreementAndWrapping, .secret): nil
        }
    }

    private func agreed(_ byteCount: Int, _ name: String, _ key: PrivateKey) -> Secret? {
        self.agreement.flatMap { $0.key(byteCount, for: name, of: key, with: $0.ephemeralKey) }
    }
}
