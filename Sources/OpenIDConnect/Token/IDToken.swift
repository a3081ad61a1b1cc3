import Base
import StrictJSON

/// An ID token that is what we asked for: signed by the provider, for us, now, for this request (Core 3.1.3.7).
package struct IDToken: Sendable {
    /// All claims, including those that we do not validate.
    package let claims: JSON.Object
    package let issuer: String
    package let subject: String
    package let audience: [String]
    package let issuedAt: Timestamp
    package let authTime: Timestamp?
    package let acr: String?

    /// Finds the key (with one throttled fetch when it is unknown), verifies the signature and validates the claims.
    package static func validate(
        _ compact: String, rules: IDTokenRules, directory: ProviderDirectory
    ) async throws(VerificationError<IDTokenError>) -> Self {
        let token: ProviderJWT
        do throws(VerificationError<Never>) {
            token = try await directory.verify(compact, as: rules.form)
        } catch {
            throw error.among(IDTokenError.self)
        }
        do throws(IDTokenError) { return try Self(token, rules: rules) } catch { throw .rule(error) }
    }

    /// Validates the claims.
    init(_ token: ProviderJWT, rules: borrowing IDTokenRules) throws(IDTokenError) {
        let claims = JWTClaims(all: token.claims, wrongType: IDTokenError.claimType)
        let issuer = try rules.checkIssuer(claims.text("iss"))
        let audience = try rules.checkAudience(claims.texts("aud"))
        try rules.checkAuthorizedParty(claims.text("azp"), audience: audience)
        try rules.checkExpiry(claims.time("exp"))
        let issuedAt = try rules.checkIssuedAt(claims.time("iat"))
        try rules.checkNotBefore(claims.time("nbf"))
        try rules.checkNonce(claims.text("nonce"))
        let subject = try rules.checkSubject(claims.text("sub"))
        let acr = try claims.firstText(rules.acrClaims)
        try rules.checkContextClass(acr)
        let authTime = try claims.time("auth_time")
        try rules.checkAuthTime(authTime)
        try rules.checkAccessTokenHash(claims.text("at_hash"), token.algorithm)
        try rules.checkCodeHash(claims.text("c_hash"), token.algorithm)
        self.claims = claims.all
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.issuedAt = issuedAt
        self.authTime = authTime
        self.acr = acr
    }
}

/// Its claims are about a user.
extension IDToken: RedactedDescription {}
