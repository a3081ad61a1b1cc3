import Base
import JOSE

/// The keys with which the targets sign, verify and decrypt.
struct FuzzKeys: Sendable {
    let ed25519: PrivateKey
    let p256: PrivateKey
    let rsa: PrivateKey
    let encryption: PrivateKey
    /// The signers of everything signed in the corpus.
    let signers: [JWTSigner]

    static let algorithms: Set<SignatureAlgorithm> = [.edDSA, .es256, .rs256]
    /// 64 bytes, enough for a half key of every content encryption, and for HS256.
    static let secret = Secret([UInt8](repeating: 7, count: 64))

    private init() throws {
        self.ed25519 = try PrivateKey(pem: Secret(FuzzPEM.ed25519))
        self.p256 = try PrivateKey(pem: Secret(FuzzPEM.p256))
        self.rsa = try PrivateKey(pem: Secret(FuzzPEM.rsa))
        self.encryption = try PrivateKey(pem: Secret(FuzzPEM.encryption))
        self.signers = [
            try JWTSigner(key: self.ed25519, algorithm: .edDSA, keyID: "ed"),
            try JWTSigner(key: self.p256, algorithm: .es256, keyID: "ec"),
            try JWTSigner(key: self.rsa, algorithm: .rs256, keyID: "rsa"),
            try JWTSigner(secret: Self.secret, algorithm: .hs256),
        ]
    }

    private static let made = Result { try FuzzKeys() }

    static func shared() throws(Violation) -> FuzzKeys {
        guard case .success(let keys) = self.made else { throw Violation("the keys of the targets are not read") }
        return keys
    }

    /// The key set that the provider publishes.
    var published: JWKSet { JWKSet(self.signers.compactMap(\.jwk)) }

    /// Decrypts what was encrypted to us: with a key, or with a secret of 32 bytes.
    var decrypter: Decrypter {
        Decrypter(
            keys: [
                DecryptionKey(self.encryption, keyID: "ec"), DecryptionKey(self.rsa, keyID: "rsa"),
                DecryptionKey(Secret([UInt8](repeating: 9, count: 32)), keyID: "shared"),
            ],
            algorithms: Set(KeyManagementAlgorithm.allCases), encryptions: Set(ContentEncryption.allCases))
    }
}
