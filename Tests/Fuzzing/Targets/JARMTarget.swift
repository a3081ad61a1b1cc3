import Base
import OpenIDConnect

/// Signed authorization responses (JARM): claims that the target signs, or a form as received.
enum JARMTarget {
    static func judge(_ input: [UInt8]) async throws(Violation) -> Verdict {
        guard input.first != UInt8(ascii: "{") else {
            return try await self.judge([Parameter("response", SignedInput(input).compact)])
        }
        return try await self.judge(FormInput.received(input))
    }

    private static func judge(_ brought: [Parameter]) async throws(Violation) -> Verdict {
        let rules = JWTRules(
            issuer: Example.issuer, clientID: Example.clientID, algorithms: FuzzKeys.algorithms,
            leeway: Example.leeway, now: Example.now)
        let text = brought.first { $0.name == "response" }?.value ?? ""
        let named = JARMVerifier.state(of: text)
        guard let directory = try? Example.sharedDirectory(),
            let response = try? await AuthorizationResponse.validate(
                brought, state: Example.state, issuer: Example.issuer, issuerPolicy: .require, promised: true,
                signed: JARMVerifier(rules: rules, directory: directory))
        else { return .refused }
        try require(named.map { identical($0, Example.state) } == true, "accepted, and its login is not found")
        try require(brought.count { $0.name == "response" } == 1, "accepted with two responses")
        let claims = try SignedInput(accepted: text).claims().withoutNulls
        let parameters = claims.compactMap { name, value in value.string.map { Parameter(name, $0) } }
        try AuthorizationResponseTarget.check(response, of: parameters)
        try require(claims.says("iss", Example.issuer), "accepted of another issuer")
        try require(claims.says("state", Example.state), "accepted with another state")
        let audience = claims.texts("aud")
        try require(!audience.isEmpty && audience.allSatisfy { identical($0, Example.clientID) }, "for somebody else")
        try Moments.check(claims)
        return .accepted
    }
}
