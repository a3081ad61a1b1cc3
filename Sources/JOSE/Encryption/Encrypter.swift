import Base
import Cryptography
import StrictJSON

/// Encrypts tokens to one key, or with one shared secret (RFC 7516 §5.1).
package struct Encrypter: Sendable {
    private enum Recipient: Sendable {
        case key(JWK, KeyManagementAlgorithm)
        case secret(Secret, keyID: String?)
    }

    private let recipient: Recipient
    private let encryption: ContentEncryption

    package init(to key: JWK, _ algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryption) {
        self.recipient = .key(key, algorithm)
        self.encryption = encryption
    }

    /// For `dir`: the secret is the content key.
    package init(secret: Secret, keyID: String?, _ encryption: ContentEncryption) {
        self.recipient = .secret(secret, keyID: keyID)
        self.encryption = encryption
    }

    /// Returns the token. `contentType` becomes `cty` (`JWT` around a signed token), `type` becomes `typ`. `more` gives
    /// other header members, such as `iss` (RFC 7519 §5.3) or `apu`, and takes precedence.
    ///
    /// Throws if the kind of the key, or its owner's declaration, does not allow this, if `apu` or `apv` is not
    /// base64url, and if the token would be longer than any that a `Decrypter` takes.
    package func encrypt(
        _ plaintext: [UInt8], contentType: String? = nil, type: String? = nil, more: JSON.Object = [:]
    ) throws(OperatorError) -> String {
        var header: JSON.Object = ["enc": .string(self.encryption.rawValue)]
        header["cty"] = contentType.map(JSON.string)
        header["typ"] = type.map(JSON.string)
        let key = try self.provideKey(&header, more)
        for (name, value) in more { header[name] = value }
        let first = Base64URL.encode(JSON.object(header).encoded())
        let content = self.encryption.seal(plaintext, key: key.content, additional: Array(first.utf8))
        let others = [key.encrypted, content.iv, content.ciphertext, content.tag].map { Base64URL.encode($0) }
        let token = ([first] + others).joined(separator: ".")
        guard token.utf8.count <= CompactJWE.byteLimit else {
            throw OperatorError("the token would have more than \(CompactJWE.byteLimit) bytes")
        }
        return token
    }

    // MARK: - The key

    private typealias Key = (content: Secret, encrypted: [UInt8])

    private func provideKey(_ header: inout JSON.Object, _ more: JSON.Object) throws(OperatorError) -> Key {
        switch self.recipient {
        case .secret(let secret, let keyID):
            guard secret.count == self.encryption.keyByteCount else {
                throw OperatorError(
                    "\(self.encryption.rawValue) needs a secret of \(self.encryption.keyByteCount) bytes")
            }
            header["alg"] = .string(KeyManagementAlgorithm.direct.rawValue)
            header["kid"] = keyID.map(JSON.string)
            return (secret, [])
        case .key(let key, let algorithm):
            guard key.encrypts(algorithm) else { throw Self.refusal(algorithm) }
            header["alg"] = .string(algorithm.rawValue)
            header["kid"] = key.keyID.map(JSON.string)
            return try self.provideKey(to: key.publicKey, algorithm, &header, more)
        }
    }

    private func provideKey(
        to key: PublicKey, _ algorithm: KeyManagementAlgorithm, _ header: inout JSON.Object, _ more: JSON.Object
    ) throws(OperatorError) -> Key {
        let count = self.encryption.keyByteCount
        switch algorithm.scheme {
        case .rsaOAEP(let digest):
            let content = Secret(RandomBytes.make(count))
            guard let encrypted = key.encrypt(content, digest) else { throw Self.refusal(algorithm) }
            return (content, encrypted)
        case .agreement:
            return (try self.agree(count, self.encryption.rawValue, algorithm, key, &header, more), [])
        case .agreementAndWrapping(let byteCount):
            let content = Secret(RandomBytes.make(count))
            let wrappingKey = try self.agree(byteCount, algorithm.rawValue, algorithm, key, &header, more)
            return (content, OpenSSLBlockCipher.wrap(content, with: wrappingKey))
        case .direct: throw Self.refusal(algorithm)
        }
    }

    private func agree(
        _ byteCount: Int, _ name: String, _ algorithm: KeyManagementAlgorithm, _ key: PublicKey,
        _ header: inout JSON.Object, _ more: JSON.Object
    ) throws(OperatorError) -> Secret {
        // Each token needs a new key (RFC 7518 §4.6.1.1).
        guard let ephemeral = try? PrivateKey.generate(key.kind) else { throw Self.refusal(algorithm) }
        header["epk"] = .object(ephemeral.publicKey.material.members)
        guard let agreement = try? KeyAgreement(ephemeral.publicKey, more) else {
            throw OperatorError("apu and apv must be base64url")
        }
        guard let agreedKey = agreement.key(byteCount, for: name, of: ephemeral, with: key) else {
            throw Self.refusal(algorithm)
        }
        return agreedKey
    }

    private static func refusal(_ algorithm: KeyManagementAlgorithm) -> OperatorError {
        OperatorError("the key is not for \(algorithm.rawValue)")
    }
}
