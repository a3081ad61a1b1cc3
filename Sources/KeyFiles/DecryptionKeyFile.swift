import Base
import JOSE

/// The file of a decryption key: a private key in PEM that decrypts what brokers encrypt to us.
package struct DecryptionKeyFile: Sendable {
    private let privateKey: PrivateKey
    /// The `kid` of the configuration, or the key's thumbprint (RFC 7638), as for signing keys.
    package let keyID: String

    /// Throws for a key that cannot decrypt, such as one for EdDSA.
    package init(_ file: [UInt8], keyID: String? = nil) throws(FileError) {
        let key = try SigningKeyFile.key(in: file)
        guard key.kind != .ed25519 else { throw FileError("is an Ed25519 key, which cannot decrypt") }
        self.privateKey = key
        self.keyID = keyID ?? key.publicKey.jwk(keyID: nil).thumbprint
    }

    /// Identifies the key itself, whatever its name.
    package var thumbprint: String { self.privateKey.publicKey.jwk(keyID: nil).thumbprint }

    /// Keys of one kind replace each other.
    package var slot: String {
        switch self.privateKey.kind {
        case .rsa: "RSA"
        case .p256, .p384, .p521, .ed25519: "\(self.privateKey.kind)"
        }
    }

    package var key: DecryptionKey { DecryptionKey(self.privateKey, keyID: self.keyID) }

    /// The public half, for publication.
    package var jwk: JWK { self.privateKey.publicKey.jwk(keyID: self.keyID, use: "enc") }
}
