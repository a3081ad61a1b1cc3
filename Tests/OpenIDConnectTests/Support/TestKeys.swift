import JOSE
import Testing

/// Keys that are made once for all tests of a run.
struct TestKeys: Sendable {
    let rsa: PrivateKey
    let otherRSA: PrivateKey
    let p256: PrivateKey
    let otherP256: PrivateKey
    let p384: PrivateKey
    let p521: PrivateKey
    let ed25519: PrivateKey
    /// Our key, to which others encrypt.
    let encryption: PrivateKey

    private init() throws {
        self.rsa = try .generate(.rsa(bits: 2048))
        self.otherRSA = try .generate(.rsa(bits: 2048))
        self.p256 = try .generate(.p256)
        self.otherP256 = try .generate(.p256)
        self.p384 = try .generate(.p384)
        self.p521 = try .generate(.p521)
        self.ed25519 = try .generate(.ed25519)
        self.encryption = try .generate(.rsa(bits: 2048))
    }

    private static let made = Result { try TestKeys() }

    static func shared() throws -> TestKeys { try self.made.get() }

    /// One key of each kind, named after its kind.
    var published: JWKSet {
        JWKSet([
            self.rsa.publicKey.jwk(keyID: "rsa"), self.p256.publicKey.jwk(keyID: "p256"),
            self.p384.publicKey.jwk(keyID: "p384"), self.p521.publicKey.jwk(keyID: "p521"),
            self.ed25519.publicKey.jwk(keyID: "ed25519"),
        ])
    }

    func named(_ name: String) throws -> PrivateKey {
        let keys = [
            "rsa": self.rsa, "p256": self.p256, "p384": self.p384, "p521": self.p521, "ed25519": self.ed25519,
        ]
        return try #require(keys[name])
    }
}

/// Tokens that are encrypted to us, and their decrypter.
enum Encrypted {
    static let algorithm = KeyManagementAlgorithm.rsaOAEP256

    static func token(
        _ token: String, _ encryption: ContentEncryption = .a256GCM, keyID: String = "enc",
        contentType: String? = "JWT", algorithm: KeyManagementAlgorithm = Self.algorithm
    ) throws -> String {
        let key = try TestKeys.shared().encryption.publicKey.jwk(keyID: keyID, use: "enc")
        return try Encrypter(to: key, algorithm, encryption).encrypt(Array(token.utf8), contentType: contentType)
    }

    static func decrypter() throws -> Decrypter {
        Decrypter(
            keys: [DecryptionKey(try TestKeys.shared().encryption, keyID: "enc")], algorithms: [Self.algorithm],
            encryptions: [.a256GCM, .a128CBCHS256])
    }
}
