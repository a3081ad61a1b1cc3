import Base
import Cryptography
import JOSE
import Testing

/// An algorithm for encryption with a matching key, and both ends of it.
struct EncryptionPair: Sendable, CustomTestStringConvertible {
    let algorithm: KeyManagementAlgorithm
    /// Nil for `dir`, which uses a secret.
    let kind: KeyKind?
    let encryption: ContentEncryption

    init(_ algorithm: KeyManagementAlgorithm, _ kind: KeyKind?, _ encryption: ContentEncryption) {
        self.algorithm = algorithm
        self.kind = kind
        self.encryption = encryption
    }

    var testDescription: String {
        "\(self.algorithm.rawValue) \(self.encryption.rawValue) \(self.kind.map { "\($0)" } ?? "")"
    }

    static let curves: [KeyKind] = [.p256, .p384, .p521]

    /// Every algorithm with every kind of key that fits it.
    static let all: [EncryptionPair] = ContentEncryption.allCases.flatMap { encryption in
        KeyManagementAlgorithm.allCases.flatMap { algorithm in
            switch algorithm {
            case .rsaOAEP, .rsaOAEP256: [Self(algorithm, .rsa(bits: 2048), encryption)]
            case .ecdhES, .ecdhESA128KW, .ecdhESA256KW: Self.curves.map { Self(algorithm, $0, encryption) }
            case .direct: [Self(algorithm, nil, encryption)]
            }
        }
    }

    static let examples: [EncryptionPair] = [
        Self(.rsaOAEP, .rsa(bits: 2048), .a256GCM), Self(.rsaOAEP256, .rsa(bits: 2048), .a128CBCHS256),
        Self(.ecdhES, .p256, .a128GCM), Self(.ecdhESA128KW, .p384, .a256CBCHS512),
        Self(.ecdhESA256KW, .p521, .a256GCM), Self(.direct, nil, .a128CBCHS256),
    ]

    func decryptionKey(named name: String = "one", keyID: String? = "k") throws -> DecryptionKey {
        guard let kind = self.kind else { return DecryptionKey(self.secret(named: name), keyID: keyID) }
        return DecryptionKey(try GeneratedKey.of(kind, named: name), keyID: keyID)
    }

    func encrypter(named name: String = "one", keyID: String? = "k") throws -> Encrypter {
        guard let kind = self.kind else {
            return Encrypter(secret: self.secret(named: name), keyID: keyID, self.encryption)
        }
        let key = try GeneratedKey.of(kind, named: name).publicKey.jwk(keyID: keyID, use: "enc")
        return Encrypter(to: key, self.algorithm, self.encryption)
    }

    func decrypter(named name: String = "one", keyID: String? = "k") throws -> Decrypter {
        .all([try self.decryptionKey(named: name, keyID: keyID)])
    }

    private func secret(named name: String) -> Secret {
        Secret(Array(HKDF.derive(self.encryption.keyByteCount, from: Secret(name), info: []).exposed))
    }
}

extension Decrypter {
    /// Returns a decrypter that accepts every algorithm.
    static func all(_ keys: [DecryptionKey]) -> Decrypter {
        Decrypter(
            keys: keys, algorithms: Set(KeyManagementAlgorithm.allCases),
            encryptions: Set(ContentEncryption.allCases))
    }
}
