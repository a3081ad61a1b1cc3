/// An ID token that is what we asked for: signed by the provider, for us, now, for this request (Core 3.1.3.7).
import JOSE

package struct IDToken: Sendable {
    /// All of them, also those that nobody judged.
    package let claims: JSON.Object
    package let issuer: String
    package let subject: String
    package let audience: [String]
    package let issuedAt: Timestamp
    package let authTime: Timestamp?
    package let acr: String?

    /// Finds the key (with one throttled fetch when it is unknown), verifies the signature, applies every rule.
    package static func judge(
        _ compact: String, rules: IDTokenRules, directory: ProviderDirectory
    ) async throws(IDTokenRules.Broken) -> Self {
        let token: CompactJWS
        do throws(JWS.Failure) {
            token = try CompactJWS(parsing: compact)
        } catch {
            throw IDTokenRules.Broken(error)
        }
        try rules.checkType(token.header.type)
        try rules.checkAlgorithm(token.header.algorithm)
        return try Self(await token.verified(by: directory, allowing: rules.algorithms), rules: rules)
    }

    /// The rules about what the token says.
    init(_ token: VerifiedJWS, rules: IDTokenRules) throws(IDTokenRules.Broken) {
        let claims: IDTokenClaims
        do throws(JWS.Failure) {
            claims = IDTokenClaims(all: try token.claims())
        } catch {
            throw IDTokenRules.Broken(error)
        }
        self.claims = claims.all
        self.issuer = try rules.checkIssuer(claims.text("iss"))
        self.audience = try rules.checkAudience(claims.texts("aud"))
        try rules.checkAuthorizedParty(claims.text("azp"), audience: self.audience)
        try rules.checkExpiry(claims.time("exp"))
        self.issuedAt = try rules.checkIssuedAt(claims.time("iat"))
        try rules.checkNotBefore(claims.time("nbf"))
        try rules.checkNonce(claims.text("nonce"))
        self.subject = try rules.checkSubject(claims.text("sub"))
        self.acr = try claims.text("acr")
        try rules.checkContextClass(self.acr)
        self.authTime = try claims.time("auth_time")
        try rules.checkAuthTime(self.authTime)
        try rules.checkAccessTokenHash(claims.text("at_hash"), token.algorithm)
    }
}

/// Its claims are about a person.
extension IDToken: Unprinted {}

// MARK: - The key

extension CompactJWS {
    fileprivate func verified(
        by directory: ProviderDirectory, allowing algorithms: Set<SignatureAlgorithm>
    ) async throws(IDTokenRules.Broken) -> VerifiedJWS {
        do {
            let known = try await directory.keys()
            do throws(JWS.Failure) {
                return try self.verified(with: known.document, allowing: algorithms)
            } catch {
                guard self.mayBeOfANewKey(error) else { throw error }
                let newer = try await directory.keysAfterMiss(in: known)
                return try self.verified(with: newer.document, allowing: algorithms)
            }
        } catch let failure as JWS.Failure {
            throw IDTokenRules.Broken(failure)
        } catch ProviderDirectory.Failure.throttled {
            throw .unknownKey
        } catch {
            throw .keysUnavailable
        }
    }

    /// Without a `kid` a new key is not seen to be unknown: the old one just does not verify.
    private func mayBeOfANewKey(_ failure: JWS.Failure) -> Bool {
        switch failure {
        case .unknownKey: true
        case .badSignature: self.header.keyID == nil
        case .tooLarge, .malformed, .criticalHeader, .algorithmNotAllowed, .ambiguousKey, .badClaims: false
        }
    }
}
