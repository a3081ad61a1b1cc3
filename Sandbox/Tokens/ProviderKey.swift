import Base
import JOSE

/// A key of the provider, made when it starts and never stored.
struct ProviderKey: Sendable {
    let key: PrivateKey
    let algorithm: SignatureAlgorithm
    let keyID: String

    static func make(for algorithm: SignatureAlgorithm) throws(PrivateKeyError) -> Self {
        let kind: PrivateKey.Kind =
            switch algorithm {
            case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa(bits: 2048)
            case .es256: .p256
            case .es384: .p384
            case .es512: .p521
            case .edDSA, .ed25519: .ed25519
            }
        let keyID = "sandbox-\(algorithm.rawValue)-\(Base64URL.encode(RandomBytes.make(6)))"
        return Self(key: try .generate(kind), algorithm: algorithm, keyID: keyID)
    }

    var published: JWK { self.key.publicKey.jwk(keyID: self.keyID, use: "sig", algorithm: self.algorithm) }
}
