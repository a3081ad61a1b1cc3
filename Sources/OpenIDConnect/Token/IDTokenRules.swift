import Base
import Cryptography
import JOSE

/// What an ID token must contain to match our request (Core 3.1.3.7).
package struct IDTokenRules: Sendable {
    /// Verbatim, as in the configuration and in discovery.
    package var issuer: String
    package var clientID: String
    /// Nil when we could not send one.
    package var nonce: String?
    /// The algorithms that this provider may sign with; the token does not choose.
    package var algorithms: Set<SignatureAlgorithm>
    package var now: Timestamp
    /// The access token that came with the ID token.
    package var accessToken: Secret?
    /// The same if it was not kept.
    package var accessTokenHashes: AccessTokenHashes?
    /// The code that was exchanged for the ID token.
    package var code: Secret?
    /// Set when the ID token must be encrypted. Without it an encrypted token is refused, with it an unencrypted one.
    package var decrypter: Decrypter?
    /// Other parties that may be in the audience, if `azp` names us.
    package var trustedAudiences: [String] = []
    /// The claims that may contain the authentication context class; some providers use another name than Core 2.
    package var acrClaims = ["acr"]
    /// The classes that we asked for.
    package var acrValues: [String] = []
    /// Whether the class must be one of `acrValues`.
    package var acrMustMatch = false
    /// In seconds, as in the request.
    package var maxAge: Int?
    /// The time of our request, if the user had to authenticate for it (`prompt=login`).
    package var freshSince: Timestamp?
    /// The largest age of the token. An ID token is fetched right after it was made; this allows for a resumed code
    /// exchange.
    private static let oldest = Duration.seconds(600)
    /// How far the provider's clock may be off.
    package private(set) var leeway: Duration

    /// `leeway` is in seconds, at most five minutes.
    package init(
        issuer: String, clientID: String, nonce: String?, algorithms: Set<SignatureAlgorithm>, leeway: Int = 60,
        now: Timestamp
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.nonce = nonce
        self.algorithms = algorithms
        self.leeway = JWTRules.leeway(leeway)
        self.now = now
    }
}

extension IDTokenRules: RedactedDescription {}

// MARK: - The checks

/// One function for each step of Core 3.1.3.7, in the order in which we apply them.
extension IDTokenRules {
    /// Steps 1, 6, 7 and 8: what the token must be before we read its claims.
    var form: JWTFormat { JWTFormat(algorithms: self.algorithms, decrypter: self.decrypter) }

    /// Step 2: identical, code point by code point.
    func checkIssuer(_ issuer: String?) throws(IDTokenError) -> String {
        guard let issuer else { throw .issuerMissing }
        guard identical(issuer, self.issuer) else { throw .issuer }
        return issuer
    }

    private var parties: JWTParties { JWTParties(clientID: self.clientID, trusted: self.trustedAudiences) }

    /// Step 3: the audience contains us, and no party that we do not trust.
    func checkAudience(_ audience: [String]?) throws(IDTokenError) -> [String] {
        guard let audience, !audience.isEmpty else { throw .audienceMissing }
        guard self.parties.includeUs(audience) else { throw .audience }
        guard self.parties.areTrusted(audience) else { throw .foreignAudience }
        return audience
    }

    /// Steps 4 and 5: with another audience `azp` is required, and if present it must name us.
    func checkAuthorizedParty(_ party: String?, audience: [String]) throws(IDTokenError) {
        switch self.parties.problem(of: party, audience: audience) {
        case nil: return
        case .foreignAudience?: throw .foreignAudience
        case .authorizedPartyMissing?: throw .authorizedPartyMissing
        case .authorizedParty?: throw .authorizedParty
        }
    }

    /// Step 9.
    func checkExpiry(_ expiry: Timestamp?) throws(IDTokenError) {
        guard let expiry else { throw .expiryMissing }
        guard self.now < expiry + self.leeway else { throw .expired }
    }

    /// Step 10. A token older than `oldest` cannot belong to our request.
    func checkIssuedAt(_ issuedAt: Timestamp?) throws(IDTokenError) -> Timestamp {
        guard let issuedAt else { throw .issuedAtMissing }
        guard issuedAt <= self.now + self.leeway else { throw .issuedInFuture }
        guard issuedAt + Self.oldest + self.leeway >= self.now else { throw .issuedTooLongAgo }
        return issuedAt
    }

    /// RFC 7519 §4.1.5.
    func checkNotBefore(_ notBefore: Timestamp?) throws(IDTokenError) {
        guard let notBefore else { return }
        guard notBefore <= self.now + self.leeway else { throw .notYetValid }
    }

    /// Step 11: the token belongs to this request.
    func checkNonce(_ nonce: String?) throws(IDTokenError) {
        guard let sentNonce = self.nonce else { return }
        guard let nonce else { throw .nonceMissing }
        guard !sentNonce.isEmpty, equalInConstantTime(nonce, sentNonce) else { throw .nonce }
    }

    /// Core 2: at most 255 ASCII characters. We also want them printable, because the subject is stored and logged.
    func checkSubject(_ subject: String?) throws(IDTokenError) -> String {
        guard let subject else { throw .subjectMissing }
        guard (1...255).contains(subject.utf8.count), subject.isVisibleOrSpace else {
            throw .subject
        }
        return subject
    }

    /// Step 12: the request could not make `acr_values` essential, so we enforce them.
    func checkContextClass(_ acr: String?) throws(IDTokenError) {
        guard self.acrMustMatch else { return }
        guard let acr else { throw .acrMissing }
        guard self.acrValues.contains(where: { identical($0, acr) }) else { throw .acr }
    }

    /// Step 13, and `prompt=login`. We compare whole seconds, because the claim has no fractions.
    func checkAuthTime(_ authTime: Timestamp?) throws(IDTokenError) {
        guard let authTime else {
            guard self.maxAge == nil, self.freshSince == nil else { throw .authTimeMissing }
            return
        }
        guard authTime <= self.now + self.leeway else { throw .authTimeInFuture }
        if let maxAge = self.maxAge {
            let oldest = self.now - self.leeway - .seconds(maxAge)
            guard authTime.seconds >= oldest.seconds else { throw .authTimeTooOld }
        }
        if let freshSince = self.freshSince {
            guard authTime.seconds >= (freshSince - self.leeway).seconds else { throw .notFresh }
        }
    }

    /// Core 3.1.3.8: the claim is optional in this flow, but must be right if present.
    func checkAccessTokenHash(_ hash: String?, _ algorithm: SignatureAlgorithm) throws(IDTokenError) {
        guard let hash else { return }
        if let accessToken = self.accessToken {
            guard algorithm.isHash(hash, of: accessToken) else { throw .accessTokenHash }
        } else if let hashes = self.accessTokenHashes {
            guard hashes.isHash(hash, by: algorithm.tokenDigest) else { throw .accessTokenHash }
        }
    }

    /// Core 3.3.2.11, in the same way.
    func checkCodeHash(_ hash: String?, _ algorithm: SignatureAlgorithm) throws(IDTokenError) {
        guard let hash, let code = self.code else { return }
        guard algorithm.isHash(hash, of: code) else { throw .codeHash }
    }
}

extension SignatureAlgorithm {
    /// Whether `hash` is the left half of the digest that belongs to the algorithm (Core 3.1.3.6).
    fileprivate func isHash(_ hash: String, of secret: Secret) -> Bool {
        equalInConstantTime(Array(hash.utf8), Array(AccessTokenHashes.hash(secret, self.tokenDigest).utf8))
    }

    /// The digest in the algorithm's name; for EdDSA and Ed25519 the one that the signature uses (RFC 8032 §5.1).
    fileprivate var tokenDigest: Digest {
        switch self {
        case .rs256, .ps256, .es256: .sha256
        case .rs384, .ps384, .es384: .sha384
        case .rs512, .ps512, .es512, .edDSA, .ed25519: .sha512
        }
    }
}
