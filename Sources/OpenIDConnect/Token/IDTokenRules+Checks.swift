/// One function for each rule of an ID token (Core 3.1.3.7, by its numbers), in the order in which they are applied.
import Base
import Cryptography
import JOSE

extension IDTokenRules {
    /// 1, 6, 7 and 8: what is asked of it before its claims are read.
    var form: JWTForm { JWTForm(algorithms: self.algorithms, decrypter: self.decrypter) }

    /// 2: exactly, code point by code point.
    func checkIssuer(_ issuer: String?) throws(Broken) -> String {
        guard let issuer else { throw .issuerMissing }
        guard identical(issuer, self.issuer) else { throw .issuer }
        return issuer
    }

    /// 3: it is for us, and for nobody whom we do not trust.
    func checkAudience(_ audience: [String]?) throws(Broken) -> [String] {
        guard let audience, !audience.isEmpty else { throw .audienceMissing }
        guard audience.contains(where: { identical($0, self.clientID) }) else { throw .audience }
        let areTrusted = audience.allSatisfy { one in
            identical(one, self.clientID) || self.trustedAudiences.contains { identical($0, one) }
        }
        guard areTrusted else { throw .foreignAudience }
        return audience
    }

    /// 4 and 5: with several audiences it must be there; when it is there it must be us.
    func checkAuthorizedParty(_ party: String?, audience: [String]) throws(Broken) {
        guard let party else {
            guard audience.count == 1 else { throw .authorizedPartyMissing }
            return
        }
        guard identical(party, self.clientID) else { throw .authorizedParty }
    }

    /// 9.
    func checkExpiry(_ expiry: Timestamp?) throws(Broken) {
        guard let expiry else { throw .expiryMissing }
        guard self.now < expiry + self.leeway else { throw .expired }
    }

    /// 10: also not from a day on which nobody can have asked for it.
    func checkIssuedAt(_ issuedAt: Timestamp?) throws(Broken) -> Timestamp {
        guard let issuedAt else { throw .issuedAtMissing }
        guard issuedAt <= self.now + self.leeway else { throw .issuedInFuture }
        guard issuedAt + self.oldest + self.leeway >= self.now else { throw .issuedTooLongAgo }
        return issuedAt
    }

    /// RFC 7519 §4.1.5.
    func checkNotBefore(_ notBefore: Timestamp?) throws(Broken) {
        guard let notBefore else { return }
        guard notBefore <= self.now + self.leeway else { throw .notYetValid }
    }

    /// 11: it is the answer to this request.
    func checkNonce(_ nonce: String?) throws(Broken) {
        guard let sent = self.nonce else { return }
        guard let nonce else { throw .nonceMissing }
        guard !sent.isEmpty, equalInConstantTime(nonce, sent) else { throw .nonce }
    }

    /// Core 2: at most 255 ASCII characters. That they are printable is our own wish: it is stored and logged.
    func checkSubject(_ subject: String?) throws(Broken) -> String {
        guard let subject else { throw .subjectMissing }
        guard (1...255).contains(subject.utf8.count), subject.isVisibleOrSpace else {
            throw .subject
        }
        return subject
    }

    /// 12: for `acr_values` that the request could not make a must of, we do.
    func checkContextClass(_ acr: String?) throws(Broken) {
        guard self.acrMustMatch else { return }
        guard let acr else { throw .acrMissing }
        guard self.acrValues.contains(where: { identical($0, acr) }) else { throw .acr }
    }

    /// 13, and `prompt=login`. Seconds are compared: the claim has no parts of them.
    func checkAuthTime(_ authTime: Timestamp?) throws(Broken) {
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
    func checkAccessTokenHash(_ hash: String?, _ algorithm: SignatureAlgorithm) throws(Broken) {
        guard let hash, let accessToken = self.accessToken else { return }
        guard algorithm.isHash(hash, of: accessToken) else { throw .accessTokenHash }
    }

    /// Core 3.3.2.11, in the same way.
    func checkCodeHash(_ hash: String?, _ algorithm: SignatureAlgorithm) throws(Broken) {
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
