import Base
import OpenIDConnect
import Testing

/// The table of ID tokens, and a test that it covers every validation error.
@Suite struct IDTokenTests {
    @Test(arguments: IDTokenCase.all) func `only valid ID tokens are accepted`(_ one: IDTokenCase) async throws {
        switch try await one.judge() {
        case .success(let token):
            #expect(one.expected == nil)
            #expect(token.issuer == Example.issuer || token.issuer.hasPrefix(Example.issuer))
        case .failure(let broken):
            #expect(broken == one.expected)
        }
    }

    @Test func `every rule is broken by a case`() {
        let expected = IDTokenCase.all.compactMap(\.expected)
        for rule in IDTokenError.allCases { #expect(expected.contains(.rule(rule)), "\(rule)") }
        for error in JWTFormatError.allCases { #expect(expected.contains(.form(error)), "\(error)") }
    }

    @Test func `cases have names of their own`() {
        #expect(Set(IDTokenCase.all.map(\.testDescription)).count == IDTokenCase.all.count)
    }

    @Test func `what a token says is handed on`() async throws {
        let token = try await IDTokenCase("", nil) { minted in
            minted.claims["acr"] = "urn:high"
            minted.claims["x"] = ["y": 1]
        }.judge().get()
        #expect(token.issuer == "https://id.example")
        #expect(token.subject == "{248289761001}")
        #expect(token.audience == ["app"])
        #expect(token.issuedAt == Example.now)
        #expect(token.authTime == Timestamp(seconds: 1_799_999_990))
        #expect(token.acr == "urn:high")
        #expect(token.claims["x"]?["y"] == 1)
    }

    @Test(arguments: [(-5, 0), (0, 0), (60, 60), (300, 300), (301, 300), (.max, 300)])
    func `the leeway has its limits`(_ wanted: Int, _ got: Int) {
        let rules = IDTokenRules(
            issuer: "", clientID: "", nonce: "", algorithms: [], leeway: wanted, now: Example.now)
        #expect(rules.leeway == .seconds(got))
    }
}
