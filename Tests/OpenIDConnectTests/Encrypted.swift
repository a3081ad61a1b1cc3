/// Tokens encrypted to us, and what decrypts them.
import JOSE

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
