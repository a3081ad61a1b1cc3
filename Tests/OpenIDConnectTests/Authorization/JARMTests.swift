import Base
import OpenIDConnect
import Testing

/// The table of signed authorization responses, and what can be read from an unverified one.
@Suite struct JARMTests {
    @Test(arguments: JARMCase.all) func `only valid signed responses are accepted`(_ one: JARMCase) async throws {
        switch try await one.judge() {
        case .success: #expect(one.expected == nil)
        case .failure(let rule): #expect(rule == one.expected)
        }
    }

    @Test func `cases have names of their own`() {
        #expect(Set(JARMCase.all.map(\.testDescription)).count == JARMCase.all.count)
    }

    @Test func `what a response says is handed on`() async throws {
        let granted = try await JARMCase("", nil) { $0.claims["code"] = "a/b+c" }.judge().get()
        #expect(granted == .granted(code: Secret("a/b+c")))
        let denied = try await JARMCase("", nil) {
            $0.claims["code"] = nil
            $0.claims["error"] = "access_denied"
            $0.claims["error_description"] = "mitid_user_aborted"
        }.judge().get()
        #expect(denied == .denied(OAuthError(code: "access_denied", description: "mitid_user_aborted")))
    }

    /// A validation error that needs no key costs the provider no request.
    @Test func `an error that needs no key costs no request`() async throws {
        let provider = ScriptedProvider(keys: try TestKeys.shared().published)
        let directory = provider.directory(ManualClock())
        var minted = try JARMCase.Minted()
        minted.header["alg"] = "none"
        let brought = [Parameter("response", try minted.compact())]
        for parameters in [brought, [], [Parameter("response", "a.b.c")], [Parameter("code", "c")]] {
            let rule = await refusal { () async throws(VerificationError<AuthorizationResponseError>) in
                try await JARMCase.judge(parameters, directory: directory)
            }
            #expect(rule != nil)
        }
        #expect(provider.requests.isEmpty)
    }

    /// The state is unverified, and only as good as its own MAC.
    @Test(
        arguments: [
            (#"{"state":"s"}"#, "s"), (#"{"state":"s","exp":1}"#, "s"), (#"{"state":1}"#, nil), ("{}", nil),
            ("[]", nil), ("", nil), (#"{"state":"s","state":"t"}"#, nil), ("state=s", nil),
        ] as [(String, String?)])
    func `the state of a response is found`(_ payload: String, _ expected: String?) {
        let part = Base64URL.encode(Array(payload.utf8))
        #expect(JARMVerifier.state(of: "e30.\(part).sig") == expected)
        #expect(JARMVerifier.state(of: ".\(part).") == expected)
        #expect(JARMVerifier.state(of: part) == nil)
        #expect(JARMVerifier.state(of: "e30.\(part)") == nil)
        #expect(JARMVerifier.state(of: "e30.\(part).x.y.z") == nil)
        #expect(JARMVerifier.state(of: "e30.\(part)=.x") == nil)
    }

    @Test func `no state is looked for in an overlong response`() {
        let payload = Base64URL.encode(Array(#"{"state":"s"}"#.utf8))
        let token = "e30.\(payload)."
        #expect(JARMVerifier.state(of: token + String(repeating: "x", count: 65_536 - token.utf8.count)) == "s")
        #expect(JARMVerifier.state(of: token + String(repeating: "x", count: 65_537 - token.utf8.count)) == nil)
    }
}
