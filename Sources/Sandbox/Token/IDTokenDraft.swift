/// An ID token before it is signed; faults change it.
import JOSE

struct IDTokenDraft: Sendable {
    enum Signature: Sendable {
        case right
        /// One bit of it is wrong.
        case spoiled
        /// `alg: none` (RFC 7515 Appendix A.5).
        case absent
        /// The confusion of RFC 8725 §2.1: HS256, keyed with what everybody knows.
        case publicKeyAsSecret
    }

    private static let lifetime = Duration.seconds(300)

    let clientID: String
    let now: Timestamp
    var claims: JSON.Object
    private(set) var algorithm: SignatureAlgorithm
    var key = KeyRing.Choice.current
    var signature = Signature.right
    /// Whether the header has a `kid`.
    var namesKey = true
    var type: String?
    var rotatesAfterwards = false

    /// Core §2, with the optional claims that e-ID brokers send.
    init(_ grant: Grant, accessToken: String, issuer: String, now: Timestamp) {
        self.clientID = grant.client.clientID
        self.now = now
        self.algorithm = grant.client.idTokenAlgorithm
        self.claims = [
            "iss": .string(issuer),
            "sub": .string(grant.identity.subject),
            "aud": .string(grant.client.clientID),
            "iat": .integer(now.seconds),
            "exp": .integer((now + Self.lifetime).seconds),
            "auth_time": .integer(grant.authenticatedAt.seconds),
            "acr": .string(grant.contextClass),
            "amr": ["sandbox"],
        ]
        if let nonce = grant.nonce { self.claims["nonce"] = .string(nonce) }
        self.claims["at_hash"] = .string(self.accessTokenHash(of: accessToken))
        guard grant.client.claimsInIDToken else { return }
        for claim in grant.identity.claims(for: grant.scope) { self.claims[claim.name] = claim.value }
    }

    /// Core §3.1.3.6: the left half of the digest that belongs to the algorithm.
    func accessTokenHash(of token: String) -> String {
        let digest =
            switch self.algorithm {
            case .rs256, .ps256, .es256: Digest.sha256
            case .rs384, .ps384, .es384: Digest.sha384
            case .rs512, .ps512, .es512, .edDSA: Digest.sha512
            }
        return Base64URL.encode(digest.hash(Array(token.utf8)).prefix(digest.byteCount / 2))
    }
}

// MARK: - What faults do to it

extension IDTokenDraft {
    /// A time claim, as far from now.
    mutating func set(_ claim: String, _ distance: Duration) {
        self.claims[claim] = .integer((self.now + distance).seconds)
    }

    mutating func spoil(_ algorithm: SignatureAlgorithm) {
        self.algorithm = algorithm
        self.signature = .spoiled
    }

    mutating func changeAlgorithm() { self.algorithm = self.algorithm == .rs256 ? .es256 : .rs256 }
}
