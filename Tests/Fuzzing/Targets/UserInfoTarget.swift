import OpenIDConnect
import StrictJSON

/// Userinfo responses: an accepted one is about the user of the ID token, and a signed one was signed for us.
///
/// The first byte selects the form: JSON, claims that the provider signs, or a JWT as received.
enum UserInfoTarget {
    private static let subject = "{x-1}"

    static func judge(_ input: [UInt8]) async throws(Violation) -> Verdict {
        let rest = Array(input.dropFirst())
        switch input.first {
        case UInt8(ascii: "j"): return try await self.judge(rest, "application/json") == nil ? .refused : .accepted
        case UInt8(ascii: "s"): return try await self.judgeSigned(SignedInput(rest).compact)
        default: return try await self.judgeSigned(CompactInput.text(rest))
        }
    }

    private static func judgeSigned(_ compact: String) async throws(Violation) -> Verdict {
        guard let accepted = try await self.judge(Array(compact.utf8), "application/jwt") else { return .refused }
        let all = try SignedInput(accepted: compact).claims()
        try require(all == accepted, "the claims are others")
        let claims = all.withoutNulls
        try require(claims["iss"] == nil || claims.says("iss", Example.issuer), "accepted of another issuer")
        let audience = claims.texts("aud")
        try require(claims["aud"] == nil || audience.contains(Example.clientID), "accepted for somebody else")
        if claims["exp"] != nil { try Moments.check(claims) }
        return .accepted
    }

    private static func judge(_ body: [UInt8], _ contentType: String) async throws(Violation) -> JSON.Object? {
        let rules = UserInfoRules(
            issuer: Example.issuer, clientID: Example.clientID, formats: [.json, .signed],
            algorithms: FuzzKeys.algorithms, leeway: Example.leeway, now: Example.now)
        let response = ProviderResponse(status: 200, contentType: contentType, body: body)
        let directory = try Example.sharedDirectory()
        let judged = try? await UserInfo.validate(response, subject: self.subject, rules: rules, directory: directory)
        guard let claims = judged?.claims else { return nil }
        try require(claims.says("sub", self.subject), "accepted about somebody else")
        return claims
    }
}
