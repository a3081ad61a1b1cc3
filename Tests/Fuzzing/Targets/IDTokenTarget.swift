import Base
import Cryptography
import OpenIDConnect
import StrictJSON

/// ID tokens, given as claims that the target signs: an accepted one obeys Core 3.1.3.7.
enum IDTokenTarget {
    static func judge(_ input: [UInt8]) async throws(Violation) -> Verdict {
        let signed = try SignedInput(input)
        let directory = try Example.sharedDirectory()
        guard let token = try? await IDToken.validate(signed.compact, rules: self.rules, directory: directory) else {
            return .refused
        }
        let all = try signed.claims()
        try require(all == token.claims, "the claims are others")
        // A claim that is null counts as absent.
        let claims = all.withoutNulls
        try self.checkParties(of: token, claims)
        try self.checkTimes(of: token, claims)
        try require(claims.says("nonce", Example.nonce), "accepted with another nonce")
        try require(claims["acr"].map { $0 == "high" || $0 == "low" } == true, "accepted with another context class")
        for (name, secret) in [("at_hash", Example.accessToken), ("c_hash", Example.code)] {
            let hash = Digest.sha512.hash(Array(secret.utf8)).prefix(32)
            try require(claims[name].map { $0 == .string(Base64URL.encode(hash)) } != false, "accepted with \(name)")
        }
        return .accepted
    }

    private static let rules: IDTokenRules = {
        var rules = IDTokenRules(
            issuer: Example.issuer, clientID: Example.clientID, nonce: Example.nonce, algorithms: FuzzKeys.algorithms,
            leeway: Example.leeway, now: Example.now)
        rules.accessToken = Secret(Example.accessToken)
        rules.code = Secret(Example.code)
        rules.trustedAudiences = ["friend"]
        rules.acrValues = ["high", "low"]
        rules.acrMustMatch = true
        rules.maxAge = 3600
        return rules
    }()

    private static func checkParties(of token: IDToken, _ claims: JSON.Object) throws(Violation) {
        try require(claims.says("iss", Example.issuer), "accepted of another issuer")
        let audience = claims.texts("aud")
        try require(audience.contains(Example.clientID), "accepted for somebody else")
        try require(audience.allSatisfy { [Example.clientID, "friend"].contains($0) }, "accepted for a stranger too")
        try require(
            audience.count == 1 || claims.says("azp", Example.clientID), "accepted for two, and not said for whom")
        try require(claims["azp"].map { $0 == .string(Example.clientID) } != false, "accepted for another party")
        try require(claims.says("sub", token.subject), "about somebody else")
        let subject = Array(token.subject.utf8)
        try require(
            (1...255).contains(subject.count) && subject.allSatisfy { (0x20...0x7E).contains($0) },
            "a subject that cannot be printed")
    }

    private static func checkTimes(of token: IDToken, _ claims: JSON.Object) throws(Violation) {
        let now = Double(Example.now.seconds)
        let leeway = Double(Example.leeway)
        try Moments.check(claims)
        let issued = claims.seconds("iat").map { $0 < now + leeway + 1 && $0 > now - 600 - leeway - 1 }
        try require(issued == true, "accepted of another day")
        let authenticated = claims.seconds("auth_time").map { $0 < now + leeway + 1 && $0 > now - 3600 - leeway - 1 }
        try require(authenticated == true, "accepted of a person who was here long ago")
    }
}
