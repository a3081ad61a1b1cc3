/// Which responses of a token endpoint contain usable tokens (RFC 6749 §5).
import Base
import OpenIDConnect
import Testing

@Suite struct TokenResponseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        let contentType: String?
        let body: String
        let expected: TokenResponseError?

        init(
            _ name: String, status: Int = 200, contentType: String? = "application/json", _ body: String,
            _ expected: TokenResponseError?
        ) {
            self.testDescription = name
            self.status = status
            self.contentType = contentType
            self.body = body
            self.expected = expected
        }

        func judge() throws(TokenResponseError) -> TokenResponse {
            let body = Array(self.body.utf8)
            return try .validate(ProviderResponse(status: self.status, contentType: self.contentType, body: body))
        }
    }

    static let good = #"{"id_token":"a.b.c","access_token":"t","token_type":"Bearer","expires_in":300}"#

    static let cases: [Case] = [
        Case("as it should be", good, nil),
        Case("type in other case", contentType: "Application/JSON ; charset=UTF-8", good, nil),
        // fapi2-security-profile-final-client-test-token-type-case-insensitivity
        Case("token type in odd case", #"{"id_token":"a","access_token":"t","token_type":"bEaReR"}"#, nil),
        // …-token-endpoint-response-without-expires_in
        Case("no expires_in", #"{"id_token":"a","access_token":"t","token_type":"Bearer"}"#, nil),
        Case(
            "expires_in a text", #"{"id_token":"a","access_token":"t","token_type":"Bearer","expires_in":"300"}"#, nil),
        Case("no access token", #"{"id_token":"a"}"#, nil),
        Case("no ID token", #"{"access_token":"t","token_type":"Bearer"}"#, .idTokenMissing),
        Case("an ID token that is a number", #"{"id_token":1}"#, .malformed),
        Case("an empty ID token", #"{"id_token":""}"#, .malformed),
        Case(
            "an access token that is a list", #"{"id_token":"a","access_token":[],"token_type":"Bearer"}"#, .malformed),
        Case(
            "an access token that would break a field",
            #"{"id_token":"a","access_token":"t\r\nX: y","token_type":"Bearer"}"#, .malformed),
        Case(
            "an access token of two words", #"{"id_token":"a","access_token":"t t","token_type":"Bearer"}"#, .malformed),
        Case("an empty access token", #"{"id_token":"a","access_token":"","token_type":"Bearer"}"#, .malformed),
        Case("another token type", #"{"id_token":"a","access_token":"t","token_type":"DPoP"}"#, .tokenType),
        Case("no token type", #"{"id_token":"a","access_token":"t"}"#, .tokenType),
        Case("an ID token twice", #"{"id_token":"a","id_token":"b"}"#, .malformed),
        Case("not JSON", "id_token=a", .malformed),
        Case("empty", "", .malformed),
        Case("a list", "[]", .malformed),
        Case("more than one value", good + "{}", .malformed),
        Case("a page", contentType: "text/html", good, .refused(.contentType)),
        Case("no type", contentType: nil, good, .refused(.contentType)),
        Case("a type that begins alike", contentType: "application/json5", good, .refused(.contentType)),
        Case("a type with a blank in it", contentType: "application /json", good, .refused(.contentType)),
        Case("too much", good + String(repeating: " ", count: 256 * 1024), .refused(.tooLarge)),
        Case(
            "an error", status: 400, #"{"error":"invalid_grant"}"#, .refused(.oauth(OAuthError(code: "invalid_grant")))),
        Case(
            "an error with words", status: 401, #"{"error":"invalid_client","error_description":"no <b>"}"#,
            .refused(.oauth(OAuthError(code: "invalid_client", description: "no <b>")))),
        Case("an error of other words", status: 400, #"{"error":"ä\n"}"#, .refused(.oauth(OAuthError(code: "???")))),
        Case("an error without a code", status: 400, "{}", .refused(.status(400))),
        Case("an empty error", status: 400, #"{"error":""}"#, .refused(.status(400))),
        Case("an error that is an object", status: 400, #"{"error":{"code":1}}"#, .refused(.status(400))),
        Case("an error on a page", status: 400, contentType: "text/html", #"{"error":"x"}"#, .refused(.status(400))),
        Case(
            "an error with 200", #"{"error":"invalid_grant"}"#, .refused(.oauth(OAuthError(code: "invalid_grant")))),
        Case(
            "an error beside tokens", #"{"id_token":"a","error":"invalid_grant"}"#,
            .refused(.oauth(OAuthError(code: "invalid_grant")))),
        Case("an error that is null", #"{"id_token":"a","error":null}"#, nil),
        Case("an error that is empty", #"{"id_token":"a","error":""}"#, nil),
        Case("an error with 201", status: 201, #"{"error":"x"}"#, .refused(.oauth(OAuthError(code: "x")))),
        Case("tokens with 400", status: 400, good, .refused(.status(400))),
        Case("tokens with 201", status: 201, good, .refused(.status(201))),
        Case("an error with 403", status: 403, #"{"error":"x"}"#, .refused(.oauth(OAuthError(code: "x")))),
        Case("a page with 401", status: 401, contentType: "text/html", "no", .refused(.status(401))),
        Case("a redirect", status: 302, "", .refused(.status(302))),
        Case("out of order", status: 503, #"{"error":"x"}"#, .refused(.status(503))),
    ]

    @Test(arguments: Self.cases) func answers(_ one: Case) {
        #expect(refusal { () throws(TokenResponseError) in try one.judge() } == one.expected)
    }

    @Test func theTokensAreHandedOn() throws {
        let tokens = try TokenResponse(Array(Self.good.utf8))
        #expect(tokens.idToken == "a.b.c")
        #expect(tokens.accessToken == Secret("t"))
    }

    @Test func failuresHaveAWordForTheLog() {
        let error = OAuthError(code: "invalid_grant", description: "for 010190-1234")
        #expect(TokenResponseError.refused(.oauth(error)).raw == "token_error_invalid_grant")
        #expect(TokenResponseError.refused(.status(503)).raw == "token_status_503")
    }
}
