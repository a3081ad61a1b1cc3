/// What an ID token must fulfil to be the answer to our request (Core 3.1.3.7).
import Base
import Cryptography
import JOSE

package struct IDTokenRules: Sendable {
    /// Verbatim, as configured and as discovery said it.
    package var issuer: String
    package var clientID: String
    /// Nil where none could be sent.
    package var nonce: String?
    /// What this provider may sign with; the token does not choose.
    package var algorithms: Set<SignatureAlgorithm>
    package var now: Timestamp
    /// That came with the ID token.
    package var accessToken: Secret?
    /// That was exchanged for it.
    package var code: Secret?
    /// There when it was agreed that the ID token is encrypted: one that is not is refused then, and one that is else.
    package var decrypter: Decrypter?
    /// Audiences that may stand beside us, if `azp` then says that the token is ours.
    package var trustedAudiences: Set<String> = []
    /// Where the authentication context class may stand; providers are known that call it otherwise than Core 2.
    package var acrClaims = ["acr"]
    /// That were asked for.
    package var acrValues: [String] = []
    /// One of `acrValues` must be what was done.
    package var acrMustMatch = false
    /// As asked for, in seconds.
    package var maxAge: Int?
    /// The moment of our request, if the person must have authenticated for it (`prompt=login`).
    package var freshSince: Timestamp?
    /// An ID token comes right after it was made; this is for an exchange that was taken up again.
    package var oldest: Duration = .seconds(600)
    /// How far the provider's clock may be off.
    package private(set) var leeway: Duration

    /// The leeway in seconds counts up to five minutes.
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

extension IDTokenRules: Unprinted {}

// MARK: - The rules

/// One function for each (Core 3.1.3.7, by its numbers), in the order in which they are applied.
extension IDTokenRules {
    /// 1, 6, 7 and 8: what is asked of it before its claims are read.
    var form: JWTForm { JWTForm(algorithms: self.algorithms, decrypter: self.decrypter) }

    /// 2: exactly, code point by code point.
    func checkIssuer(_ issuer: String?) throws(IDTokenError) -> String {
        guard let issuer else { throw .issuerMissing }
        guard identical(issuer, self.issuer) else { throw .issuer }
        return issuer
    }

    /// 3: it is for us, and for nobody whom we do not trust.
    func checkAudience(_ audience: [String]?) throws(IDTokenError) -> [String] {
        guard let audience, !audience.isEmpty else { throw .audienceMissing }
        guard audience.contains(where: { identical($0, self.clientID) }) else { throw .audience }
        let areTrusted = audience.allSatisfy { one in
            identical(one, self.clientID) || self.trustedAudiences.contains { identical($0, one) }
        }
        guard areTrusted else { throw .foreignAudience }
        return audience
    }

    /// 4 and 5: with several audiences it must be there; when it is there it must be us.
    func checkAuthorizedParty(_ party: String?, audience: [String]) throws(IDTokenError) {
        guard let party else {
            guard audience.count == 1 else { throw .authorizedPartyMissing }
            return
        }
        guard identical(party, self.clientID) else { throw .authorizedParty }
    }

    /// 9.
    func checkExpiry(_ expiry: Timestamp?) throws(IDTokenError) {
        guard let expiry else { throw .expiryMissing }
        guard self.now < expiry + self.leeway else { throw .expired }
    }

    /// 10: also not from a day on which nobody can have asked for it.
    func checkIssuedAt(_ issuedAt: Timestamp?) throws(IDTokenError) -> Timestamp {
        guard let issuedAt else { throw .issuedAtMissing }
        guard issuedAt <= self.now + self.leeway else { throw .issuedInFuture }
        guard issuedAt + self.oldest + self.leeway >= self.now else { throw .issuedTooLongAgo }
        return issuedAt
    }

    /// RFC 7519 §4.1.5.
    func checkNotBefore(_ notBefore: Timestamp?) throws(IDTokenError) {
        guard let notBefore else { return }
        guard notBefore <= self.now + self.leeway else { throw .notYetValid }
    }

    /// 11: it is the answer to this request.
    func checkNonce(_ nonce: String?) throws(IDTokenError) {
        guard let sent = self.nonce else { return }
        guard let nonce else { throw .nonceMissing }
        guard !sent.isEmpty, equalInConstantTime(nonce, sent) else { throw .nonce }
    }

    /// Core 2: at most 255 ASCII characters. That they are printable is our own wish: it is stored and logged.
    func checkSubject(_ subject: String?) throws(IDTokenError) -> String {
        guard let subject else { throw .subjectMissing }
        guard (1...255).contains(subject.utf8.count), subject.isVisibleOrSpace else {
            throw .subject
        }
        return subject
    }

    /// 12: for `acr_values` that the request could not make a must of, we do.
    func checkContextClass(_ acr: String?) throws(IDTokenError) {
        guard self.acrMustMatch else { return }
        guard let acr else { throw .acrMissing }
        guard self.acrValues.contains(where: { identical($0, acr) }) else { throw .acr }
    }

    /// 13, and `prompt=login`. Seconds are compared: the claim has no parts of them.
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

    /// Core 3.1.3.8: optional in this flow, and binding when it is there.
    func checkAccessTokenHash(_ hash: String?, _ algorithm: SignatureAlgorithm) throws(IDTokenError) {
        guard let hash, let accessToken = self.accessToken else { return }
        guard algorithm.isHash(hash, of: accessToken) else { throw .accessTokenHash }
    }

    /// Core 3.3.2.11, in the same way.
    func checkCodeHash(_ hash: String?, _ algorithm: SignatureAlgorithm) throws(IDTokenError) {
        guard let hash, let code = self.code else { return }
        guard algorithm.isHash(hash, of: code) else { throw .codeHash }
    }
}

extension SignatureAlgorithm {
    /// The left half of the digest that goes with the algorithm (Core 3.1.3.6).
    fileprivate func isHash(_ hash: String, of secret: Secret) -> Bool {
        let digest = self.tokenDigest.hash(secret.exposed)
        let expected = Base64URL.encode(digest.prefix(digest.count / 2))
        return equalInConstantTime(Array(hash.utf8), Array(expected.utf8))
    }

    /// The digest of the algorithm's name; for EdDSA and Ed25519 that of the signature itself (RFC 8032 §5.1).
    private var tokenDigest: Digest {
        switch self {
        case .rs256, .ps256, .es256: .sha256
        case .rs384, .ps384, .es384: .sha384
        case .rs512, .ps512, .es512, .edDSA, .ed25519: .sha512
        }
    }
}
