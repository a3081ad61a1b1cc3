import Base
import StrictJSON
import Synchronization

/// Signs JWTs (RFC 7519) with one key, or one shared secret, and one algorithm.
///
/// It is a class because all requests share it, and its headers are written once.
package final class JWTSigner: Sendable {
    private enum Method: Sendable {
        case key(PrivateKey, SignatureAlgorithm)
        case secret(Secret, MACAlgorithm)
        /// The one that is returned signs, or else the other.
        case chosen(JWTSigner, @Sendable () -> JWTSigner?)
    }

    private let method: Method
    /// The name of the usual key, if it chooses.
    package let keyID: String?
    /// The first parts of earlier tokens, by type.
    private let headers = Mutex<[(type: String?, part: [UInt8])]>([])
    /// No signer has more types than a request and a proof.
    private static let headerLimit = 4

    /// Throws an error if the key cannot make such signatures.
    package init(key: PrivateKey, algorithm: SignatureAlgorithm, keyID: String?) throws(OperatorError) {
        guard key.publicKey.fits(algorithm) else { throw .unfitKey(for: algorithm) }
        self.method = .key(key, algorithm)
        self.keyID = keyID
    }

    /// Uses the bytes of the secret as they are. Throws an error if there are fewer than the algorithm requires.
    package init(secret: Secret, algorithm: MACAlgorithm, keyID: String? = nil) throws(OperatorError) {
        guard algorithm.fits(secret) else { throw OperatorError("the secret is too short for \(algorithm.rawValue)") }
        self.method = .secret(secret, algorithm)
        self.keyID = keyID
    }

    /// Chooses anew for each token: the signer that `choose` returns, or `usual` if it returns none. Both have the same
    /// algorithm.
    package init(usually usual: JWTSigner, or choose: @escaping @Sendable () -> JWTSigner?) {
        self.method = .chosen(usual, choose)
        self.keyID = usual.keyID
    }

    /// The key in the form for publication; nil for a secret.
    package var jwk: JWK? {
        switch self.method {
        case .chosen(let usual, let choose): (choose() ?? usual).jwk
        case .key(let key, let algorithm): key.publicKey.jwk(keyID: self.keyID, algorithm: algorithm)
        case .secret: nil
        }
    }

    /// The JOSE name of the algorithm.
    package var algorithmName: String {
        switch self.method {
        case .key(_, let algorithm): algorithm.rawValue
        case .chosen(let usual, _): usual.algorithmName
        case .secret(_, let algorithm): algorithm.rawValue
        }
    }

    /// Returns the token. `type` becomes `typ`, which keeps tokens for different purposes apart (RFC 8725 §3.11).
    package func sign(_ claims: JSON.Object, type: String? = nil) throws(OperatorError) -> String {
        String(decoding: try self.sign(payload: JSON.object(claims).encoded(), type: type), as: UTF8.self)
    }

    /// Signs claims that are already written as JSON. Returns the token's bytes.
    package func sign(payload: [UInt8], type: String?) throws(OperatorError) -> [UInt8] {
        if case .chosen(let usual, let choose) = self.method {
            return try (choose() ?? usual).sign(payload: payload, type: type)
        }
        var token: [UInt8] = []
        // Most tokens fit, so the array rarely moves to grow.
        token.reserveCapacity(2048)
        token += self.header(type)
        token.append(UInt8(ascii: "."))
        Base64URL.append(payload, to: &token)
        let signature = try self.signature(of: token)
        token.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &token)
        return token
    }

    /// Returns the header in base64url, as it is in the token.
    private func header(_ type: String?) -> [UInt8] {
        self.headers.withLock { headers in
            if let knownHeader = headers.first(where: { $0.type == type }) { return knownHeader.part }
            var header = JSONObjectWriter()
            header.add("alg", self.algorithmName)
            if let type { header.add("typ", type) }
            if let keyID = self.keyID { header.add("kid", keyID) }
            var part: [UInt8] = []
            Base64URL.append(header.finish(), to: &part)
            if headers.count < Self.headerLimit { headers.append((type, part)) }
            return part
        }
    }

    private func signature(of input: [UInt8]) throws(OperatorError) -> [UInt8] {
        switch self.method {
        case .key(let key, let algorithm): try key.sign(input, with: algorithm)
        case .secret(let secret, let algorithm): algorithm.code(input, secret)
        case .chosen(let usual, let choose): try (choose() ?? usual).signature(of: input)
        }
    }
}
