import Base
import Cryptography
import JOSE
import StrictJSON

/// A JWT of the provider before it is signed, such as an ID token. Faults change it.
struct JWTDraft: Sendable {
    enum Signature: Sendable {
        case right
        /// One bit is wrong.
        case spoiled
        /// `alg: none` (RFC 7515 Appendix A.5).
        case absent
        /// The confusion of RFC 8725 §2.1: HS256 with the public key as the secret.
        case publicKeyAsSecret
        /// HS256 with a secret that no one knows.
        case unknownSecret
    }

    /// The encryption, if that was agreed.
    enum Envelope: Sendable {
        case right
        /// One bit of the authentication tag is wrong (RFC 7516 §5.2 step 16).
        case spoiled
        case absent
    }

    static let lifetime = Duration.seconds(300)

    let client: SandboxClient
    let now: Timestamp
    var claims: JSON.Object
    private(set) var algorithm: SignatureAlgorithm
    var key = KeyRing.Choice.current
    var signature = Signature.right
    var envelope = Envelope.right
    /// Whether the header has a `kid`.
    var namesKey = true
    var type: String?
    var rotatesAfterwards = false

    /// Creates a draft with the claims of every JWT of the provider (RFC 7519 §4.1).
    init(_ claims: JSON.Object, for client: SandboxClient, issuer: String, now: Timestamp) {
        self.client = client
        self.now = now
        self.algorithm = client.idTokenAlgorithm
        self.claims = [
            "iss": .string(issuer),
            "aud": .string(client.clientID),
            "iat": .integer(now.seconds),
            "exp": .integer((now + Self.lifetime).seconds),
        ]
        for (name, value) in claims { self.claims[name] = value }
    }

    /// Core §3.1.3.6: returns the left half of the digest that belongs to the algorithm.
    func hash(of text: String) -> JSON {
        let digest =
            switch self.algorithm {
            case .rs256, .ps256, .es256: Digest.sha256
            case .rs384, .ps384, .es384: Digest.sha384
            case .rs512, .ps512, .es512, .edDSA, .ed25519: Digest.sha512
            }
        return .string(Base64URL.encode(digest.hash(Array(text.utf8)).prefix(digest.byteCount / 2)))
    }
}

// MARK: - Changes by faults

extension JWTDraft {
    /// Sets a time claim to this distance from now.
    mutating func set(_ claim: String, _ distance: Duration) {
        self.claims[claim] = .integer((self.now + distance).seconds)
    }

    mutating func corrupt(_ algorithm: SignatureAlgorithm) {
        self.algorithm = algorithm
        self.signature = .spoiled
    }

    mutating func changeAlgorithm() { self.algorithm = self.algorithm == .rs256 ? .es256 : .rs256 }
}

// MARK: - Signing, right or wrong

extension JWTDraft {
    func signed(with key: ProviderKey) throws -> String {
        switch self.signature {
        case .right: try self.rightlySigned(with: key)
        case .spoiled: Self.spoiled(try self.rightlySigned(with: key))
        case .absent: self.twoParts(header: ["alg": "none", "typ": "JWT"]) + "."
        case .publicKeyAsSecret: self.signedAsIfSymmetric(Secret(key.published.json.encoded()), key)
        case .unknownSecret: self.signedAsIfSymmetric(Secret(RandomBytes.make(32)), key)
        }
    }

    private func rightlySigned(with key: ProviderKey) throws -> String {
        let keyID = self.namesKey ? key.keyID : nil
        let signer = try JWTSigner(key: key.key, algorithm: self.algorithm, keyID: keyID)
        return try signer.sign(self.claims, type: self.type)
    }

    /// Returns the token with its last bit changed.
    static func spoiled(_ token: String) -> String {
        guard let dot = token.lastIndex(of: "."), var bytes = Base64URL.decode(token[token.index(after: dot)...]),
            let last = bytes.indices.last
        else { return token }
        bytes[last] ^= 1
        return token[...dot] + Base64URL.encode(bytes)
    }

    private func signedAsIfSymmetric(_ secret: Secret, _ key: ProviderKey) -> String {
        let parts = self.twoParts(header: ["alg": "HS256", "typ": "JWT", "kid": .string(key.keyID)])
        return parts + "." + Base64URL.encode(HMAC.code(Array(parts.utf8), key: secret))
    }

    private func twoParts(header: JSON.Object) -> String {
        [header, self.claims].map { Base64URL.encode(JSON.object($0).encoded()) }.joined(separator: ".")
    }
}
