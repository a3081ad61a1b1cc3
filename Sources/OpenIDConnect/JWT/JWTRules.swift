import Base
import JOSE
import StrictJSON

/// Checks the issuer, audience and validity of a provider's JWT, whatever it is about (RFC 7519 §4.1).
package struct JWTRules: Sendable {
    /// The rule that the claims break.
    package enum Problem: String, CaseIterable, Sendable {
        /// A claim that we read does not have the JSON type of its definition.
        case claimType
        case issuerMissing
        case issuer
        case audienceMissing
        /// We are not in the audience.
        case audience
        case expiryMissing
        case expired
        case notYetValid
    }

    /// Verbatim, as in the configuration and in discovery.
    let issuer: String
    let clientID: String
    /// The algorithms that this provider may sign with; the token does not choose.
    let algorithms: Set<SignatureAlgorithm>
    let leeway: Duration
    let now: Timestamp

    /// `leeway` is in seconds, at most five minutes.
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

    /// Requires issuer, audience and expiry, and the audience must be only us. Then calls `check`.
    func demand<Refusal: Error>(of all: JSON.Object, as refusal: (Problem) -> Refusal) throws(Refusal) {
        let claims = JWTClaims(all: all, wrongType: refusal(.claimType))
        guard try claims.text("iss") != nil else { throw refusal(.issuerMissing) }
        guard let audience = try claims.texts("aud") else { throw refusal(.audienceMissing) }
        guard audience.allSatisfy({ identical($0, self.clientID) }) else { throw refusal(.audience) }
        guard try claims.time("exp") != nil else { throw refusal(.expiryMissing) }
        try self.check(all, as: refusal)
    }

    /// Checks the claims that are present. `refusal` makes the caller's error of a problem.
    func check<Refusal: Error>(_ all: JSON.Object, as refusal: (Problem) -> Refusal) throws(Refusal) {
        let claims = JWTClaims(all: all, wrongType: refusal(.claimType))
        if let issuer = try claims.text("iss") {
            guard identical(issuer, self.issuer) else { throw refusal(.issuer) }
        }
        if let audience = try claims.texts("aud") {
            guard audience.contains(where: { identical($0, self.clientID) }) else { throw refusal(.audience) }
        }
        if let expiry = try claims.time("exp") {
            guard self.now < expiry + self.leeway else { throw refusal(.expired) }
        }
        if let notBefore = try claims.time("nbf") {
            guard notBefore <= self.now + self.leeway else { throw refusal(.notYetValid) }
        }
    }
}
