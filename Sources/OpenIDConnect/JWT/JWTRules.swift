/// By whom, for whom and until when a JWT of a provider must be, whatever it is about (RFC 7519 §4.1).
import Base
import JOSE
import StrictJSON

package struct JWTRules: Sendable {
    /// Verbatim, as configured and as discovery said it.
    let issuer: String
    let clientID: String
    /// What this provider may sign with; the token does not choose.
    let algorithms: Set<SignatureAlgorithm>
    let leeway: Duration
    let now: Timestamp

    /// The leeway in seconds counts up to five minutes.
    package init(
        issuer: String, clientID: String, algorithms: Set<SignatureAlgorithm>, leeway: Int = 60, now: Timestamp
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.algorithms = algorithms
        self.leeway = Self.leeway(leeway)
        self.now = now
    }

    static func leeway(_ seconds: Int) -> Duration { .seconds(min(max(seconds, 0), 300)) }

    /// Issuer, audience and expiry must be there, and the audience must be us alone.
    func demand(of all: JSON.Object) throws(JWTRulesError) {
        let claims = JWTClaims(all: all, wrongType: JWTRulesError.claimType)
        guard try claims.text("iss") != nil else { throw .issuerMissing }
        guard let audience = try claims.texts("aud") else { throw .audienceMissing }
        guard audience.allSatisfy({ identical($0, self.clientID) }) else { throw .audience }
        guard try claims.time("exp") != nil else { throw .expiryMissing }
        try self.check(all)
    }

    /// What is there must be right.
    func check(_ all: JSON.Object) throws(JWTRulesError) {
        let claims = JWTClaims(all: all, wrongType: JWTRulesError.claimType)
        if let issuer = try claims.text("iss") {
            guard identical(issuer, self.issuer) else { throw .issuer }
        }
        if let audience = try claims.texts("aud") {
            guard audience.contains(where: { identical($0, self.clientID) }) else { throw .audience }
        }
        if let expiry = try claims.time("exp") {
            guard self.now < expiry + self.leeway else { throw .expired }
        }
        if let notBefore = try claims.time("nbf") {
            guard notBefore <= self.now + self.leeway else { throw .notYetValid }
        }
    }
}

/// What a JWT can be wrong in, whatever it is about.
package enum JWTRulesError: String, Error, CaseIterable, Sendable {
    /// A claim that is read is of another JSON type than its definition says.
    case claimType
    case issuerMissing
    case issuer
    case audienceMissing
    /// We are not among them.
    case audience
    case expiryMissing
    case expired
    case notYetValid
}
