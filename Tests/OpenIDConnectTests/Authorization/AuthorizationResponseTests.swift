import Base
import OpenIDConnect
import Testing

/// Which authorization responses belong to our request.
@Suite struct AuthorizationResponseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let query: String
        var policy = IssuerPolicy.optional
        var promised = false
        let expected: AuthorizationResponseError?

        /// The query is not decoded. Its parts are the parameters.
        init(
            _ name: String, _ query: String, _ policy: IssuerPolicy, promised: Bool = false,
            _ expected: AuthorizationResponseError?
        ) {
            self.testDescription = name
            self.query = query
            self.policy = policy
            self.promised = promised
            self.expected = expected
        }

        func judge() async throws(VerificationError<AuthorizationResponseError>) -> AuthorizationResponse {
            let parameters = self.query.split(separator: "&").map { part in
                let name = part.prefix { $0 != "=" }
                return Parameter(String(name), String(part.dropFirst(name.count + 1)))
            }
            return try await .validate(
                parameters, state: "right", issuer: Example.issuer, issuerPolicy: self.policy, promised: self.promised)
        }
    }

    static let cases: [Case] = [
        Case("a code", "code=c&state=right", .optional, nil),
        Case("an error", "error=access_denied&state=right", .optional, nil),
        Case("more than we know", "code=c&state=right&session_state=x&scope=openid", .optional, nil),
        Case("the state missing", "code=c", .optional, .state),
        Case("the state empty", "code=c&state=", .optional, .state),
        Case("another state", "code=c&state=wrong", .optional, .state),
        Case("the state cut", "code=c&state=righ", .optional, .state),
        Case("the state and more", "code=c&state=right2", .optional, .state),
        Case("the state in other case", "code=c&state=Right", .optional, .state),
        Case("an error with another state", "error=access_denied&state=wrong", .optional, .state),
        Case("an error without state", "error=access_denied", .optional, .state),
        Case("two wrong states", "code=c&state=a&state=b", .optional, .state),
        Case("a forged repetition", "code=c&code=d&state=wrong", .optional, .state),
        Case("two states", "code=c&state=right&state=wrong", .optional, .repeatedParameter),
        Case("the right state twice", "code=c&state=right&state=right", .optional, .repeatedParameter),
        Case("two codes", "code=c&code=d&state=right", .optional, .repeatedParameter),
        Case("two issuers", "code=c&state=right&iss=https://id.example&iss=x", .optional, .repeatedParameter),
        Case("two errors", "error=a&error=b&state=right", .optional, .repeatedParameter),
        Case("a code and its end, far apart", "code=c&state=right&x=1&y=2&code=c", .optional, .repeatedParameter),
        Case("a code that cannot be decoded", "code=\u{FFFD}&state=right", .optional, .unreadableParameter),
        Case("an error that cannot be decoded", "error=\u{FFFD}&state=right", .optional, .unreadableParameter),
        Case("an issuer that cannot be decoded", "code=c&state=right&iss=\u{FFFD}", .optional, .unreadableParameter),
        Case("a response that cannot be decoded", "response=\u{FFFD}&state=right", .optional, .unreadableParameter),
        Case("two codes, one of them damaged", "code=c&code=\u{FFFD}&state=right", .optional, .repeatedParameter),
        Case("a description that cannot be decoded", "error=e&error_description=\u{FFFD}&state=right", .optional, nil),
        // RFC 6749 §4.1.2: "The client MUST ignore unrecognized response parameters."
        Case("something else twice", "code=c&state=right&x=1&x=2", .optional, nil),
        Case("two descriptions", "error=e&error_description=a&error_description=b&state=right", .optional, nil),
        Case("neither code nor error", "state=right", .optional, .codeOrError),
        Case("code and error", "code=c&error=e&state=right", .optional, .codeOrError),
        Case("an empty code", "code=&state=right", .optional, .code),
        Case("a code with a line break", "code=a\nb&state=right", .optional, .code),
        Case("a code that is not ASCII", "code=ä&state=right", .optional, .code),
        Case("a code without end", "code=\(String(repeating: "c", count: 4097))&state=right", .optional, .code),
        Case("a long code", "code=\(String(repeating: "c", count: 4096))&state=right", .optional, nil),
        Case("a signed response, unasked", "code=c&state=right&response=a.b.c", .optional, .responseUnasked),
        Case("a signed response, unasked, by a stranger", "response=a.b.c", .optional, .state),

        // RFC 9207 §2.4.
        Case("issuer", "code=c&state=right&iss=https://id.example", .require, nil),
        Case("issuer, unasked", "code=c&state=right&iss=https://id.example", .optional, nil),
        Case("no issuer, required", "code=c&state=right", .require, .issuerMissing),
        Case("no issuer in an error, required", "error=e&state=right", .require, .issuerMissing),
        Case("no issuer, promised", "code=c&state=right", .promised, promised: true, .issuerMissing),
        Case("no issuer in an error, promised", "error=e&state=right", .promised, promised: true, .issuerMissing),
        Case("no issuer, not promised", "code=c&state=right", .promised, nil),
        Case("no issuer in a grant", "code=c&state=right", .promisedOnSuccess, promised: true, .issuerMissing),
        Case("no issuer in a denial", "error=e&state=right", .promisedOnSuccess, promised: true, nil),
        Case("no issuer in a grant, not promised", "code=c&state=right", .promisedOnSuccess, nil),
        Case("another issuer in a denial", "error=e&state=right&iss=x", .promisedOnSuccess, .issuer),
        Case("another issuer, not promised", "code=c&state=right&iss=x", .promisedOnSuccess, .issuer),
        Case("no issuer, promised but optional", "code=c&state=right", .optional, promised: true, nil),
        Case("another issuer, promised but optional", "code=c&state=right&iss=x", .optional, promised: true, .issuer),
        Case("no issuer with a code, required on success", "code=c&state=right", .successOnly, .issuerMissing),
        Case("no issuer in an error, required on success", "error=e&state=right", .successOnly, promised: true, nil),
        Case("another issuer", "code=c&state=right&iss=https://evil.example", .optional, .issuer),
        Case("another issuer in an error", "error=e&state=right&iss=https://evil.example", .successOnly, .issuer),
        Case("issuer with a slash more", "code=c&state=right&iss=https://id.example/", .require, .issuer),
        Case("issuer in other case", "code=c&state=right&iss=https://ID.example", .require, .issuer),
        Case("issuer empty", "code=c&state=right&iss=", .optional, .issuer),
    ]

    @Test(arguments: Self.cases) func `only responses to our request are accepted`(_ one: Case) async {
        let rule = await refusal { () async throws(VerificationError<AuthorizationResponseError>) in
            try await one.judge()
        }
        #expect(rule == one.expected.map { .rule($0) })
    }

    @Test func `every rule is broken by a case`() {
        let expected = Self.cases.compactMap(\.expected) + JARMCase.all.compactMap(\.expected)
        #expect(Set(expected) == Set(AuthorizationResponseError.allCases))
    }

    @Test func `the code of a response is handed on`() async throws {
        let answer = try await Case("", "code=a/b+c&state=right", .optional, nil).judge()
        #expect(answer == .granted(code: Secret("a/b+c")))
    }

    @Test func `an error is cleaned for the log`() async throws {
        let answer = try await Case("", "error=a\"b\nc\\d&error_description=ø&state=right", .optional, nil).judge()
        #expect(answer == .denied(OAuthError(code: "a?b?c?d", description: "??")))
        #expect(OAuthError(code: String(repeating: "x", count: 1000)).code.utf8.count == 64)
        #expect(OAuthError(code: "x", description: String(repeating: "ä", count: 900)).description?.utf8.count == 200)
        #expect(OAuthError(code: "a\"b").code == "a?b")
    }
}
