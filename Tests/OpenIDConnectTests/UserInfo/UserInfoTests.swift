import Base
import OpenIDConnect
import Testing

/// The userinfo request, and which responses are about the user who logged in (Core 5.3).
@Suite struct UserInfoTests {
    /// oidcc-client-test-userinfo-bearer-header
    @Test func `the token goes into a field`() throws {
        let request = try UserInfo.request(
            accessToken: Secret("t0k3n"), client: Example.client(), metadata: Example.metadata()
        ).get()
        #expect(request.purpose == .userinfo)
        #expect(request.method == .get)
        #expect(request.url == "https://id.example/userinfo")
        #expect(
            request.fields.map { "\($0.name): \($0.value)" } == [
                "Accept: application/json", "Authorization: Bearer t0k3n",
            ])
        #expect(request.body.isEmpty)
    }

    @Test func `no userinfo is requested without an endpoint`() throws {
        let metadata = try Example.metadata { $0["userinfo_endpoint"] = nil }
        #expect(throws: UserInfoError.endpointMissing) {
            try UserInfo.request(accessToken: Secret("t"), client: Example.client(), metadata: metadata).get()
        }
    }

    @Test(
        arguments: [
            ([.json], "application/json"), ([.signed], "application/jwt"), ([.encrypted], "application/jwt"),
            ([.json, .signed], "application/json, application/jwt"), ([.signed, .encrypted], "application/jwt"),
        ] as [(Set<UserInfoRules.Format>, String)])
    func `the request accepts the agreed formats`(_ formats: Set<UserInfoRules.Format>, _ accept: String) throws {
        let request = try UserInfo.request(
            accessToken: Secret("t"), client: Example.client(), formats: formats, metadata: Example.metadata()
        ).get()
        #expect(request.fields.first?.value == accept)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: ProviderResponse
        let expected: UserInfoError?

        init(
            _ name: String, status: Int = 200, contentType: String? = "application/json", _ body: String,
            _ expected: UserInfoError?
        ) {
            self.testDescription = name
            self.response = ProviderResponse(status: status, contentType: contentType, body: Array(body.utf8))
            self.expected = expected
        }
    }

    static let cases: [Case] = [
        Case("as it should be", #"{"sub":"{x-1}","name":"A"}"#, nil),
        Case("oidcc-client-test-userinfo-invalid-sub", #"{"sub":"{x-2}"}"#, .subject),
        Case("sub in other case", #"{"sub":"{X-1}"}"#, .subject),
        Case("no sub", #"{"name":"A"}"#, .subjectMissing),
        Case("sub a number", #"{"sub":1}"#, .malformed),
        Case("sub twice", #"{"sub":"{x-1}","sub":"{x-1}"}"#, .malformed),
        Case("a list", #"["sub"]"#, .malformed),
        Case("not JSON", "sub", .malformed),
        Case("oidcc-client-test-userinfo-signed, unagreed", contentType: "application/jwt", "a.b.c", .contentType),
        Case("no type", contentType: nil, #"{"sub":"{x-1}"}"#, .contentType),
        Case("refused", status: 401, "", .status(401)),
        Case("a redirect", status: 302, "", .status(302)),
        Case("empty", status: 204, "", .status(204)),
        Case("too much", #"{"sub":"{x-1}"}"# + String(repeating: " ", count: 256 * 1024), .tooLarge),
    ]

    @Test(arguments: Self.cases) func `only userinfo of the right user is accepted`(_ one: Case) async throws {
        let outcome = try await UserInfoCase.judge(one.response)
        #expect(refusal { () throws(UserInfoError) in try outcome.get() } == one.expected)
    }

    @Test(arguments: UserInfoCase.all) func `only valid userinfo as JWT is accepted`(_ one: UserInfoCase) async throws {
        let outcome = try await one.judge()
        #expect(refusal { () throws(UserInfoError) in try outcome.get() } == one.expected)
    }

    @Test func `cases have names of their own`() {
        #expect(Set(UserInfoCase.all.map(\.testDescription)).count == UserInfoCase.all.count)
    }

    @Test func `the claims are handed on`() async throws {
        let userInfo = try await UserInfoCase.judge(Example.json(["sub": "s", "name": "A"]), subject: "s").get()
        #expect(userInfo.claims["name"] == "A")
        let signed = try await UserInfoCase("", nil) { $0.claims["name"] = "B" }.judge().get()
        #expect(signed.claims["name"] == "B")
    }

    @Test func `failures have a word for the log`() {
        #expect(UserInfoError.keysUnavailable(.noUsableKey).raw == "keys_none_usable")
        #expect(UserInfoError.rules(.expired).raw == "userinfo_expired")
        #expect(UserInfoError.endpointAlias.raw == "userinfo_endpoint_alias")
    }
}
