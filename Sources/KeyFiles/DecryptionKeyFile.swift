/// The file of a decryption key: a private key in PEM that opens what brokers encrypt for us.
import Base
import JOSE

package struct DecryptionKeyFile: Sendable {
    private let privateKey: PrivateKey
    /// The `kid` of the configuration, or the key's thumbprint (RFC 7638), as for signing keys.
    package let keyID: String

    /// Fails for a key that decrypts nothing, such as one for EdDSA.
    package init(_ file: [UInt8], keyID: String? = nil) throws(FileError) {
        let key = try SigningKeyFile.key(in: file)
        guard key.kind != .ed25519 else { throw FileError("is an Ed25519 key, which decrypts nothing") }
        self.privateKey = key
        self.keyID = keyID ?? key.publicKey.jwk(keyID: nil).thumbprint
    }

    /// Names the key itself, whatever it is called.
    package var thumbprint: String { self.privateKey.publicKey.jwk(keyID: nil).thumbprint }

    /// Keys of one kind follow each other.
    package var slot: String {
        switch self.privateKey.kind {
        case .rsa: "RSA"
        case .p256, .p384, .p521, .ed25519: "\(self.privateKey.kind)"
        }
    }

    package var key: DecryptionKey { DecryptionKey(self.privateKey, keyID: self.keyID) }

    /// How the public half is published.
    package var jwk: JWK { self.privateKey.publicKey.jwk(keyID: self.keyID, use: "enc") }
}
