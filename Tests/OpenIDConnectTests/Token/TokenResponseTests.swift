import Base
import OpenIDConnect
import Testing

/// Which responses of a token endpoint contain usable tokens (RFC 6749 §5).
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
        Case("an ID token that is a number", #"{"id_token":1}"#, .refused(.malformed)),
        Case("an empty ID token", #"{"id_token":""}"#, .refused(.malformed)),
        Case(
            "an access token that is a list", #"{"id_token":"a","access_token":[],"token_type":"Bearer"}"#,
            .refused(.malformed)),
        Case(
            "an access token that is a number", #"{"id_token":"a","access_token":1,"token_type":"Bearer"}"#,
            .refused(.malformed)),
        Case("an access token that is null", #"{"id_token":"a","access_token":null,"token_type":null}"#, nil),
        Case(
            "an ID token that is null", #"{"id_token":null,"access_token":"t","token_type":"Bearer"}"#, .idTokenMissing),
        Case("an ID token that is a list", #"{"id_token":["a"]}"#, .refused(.malformed)),
        Case("expires_in null", #"{"id_token":"a","access_token":"t","token_type":"Bearer","expires_in":null}"#, nil),
        Case("a refresh token that is an object", #"{"id_token":"a","refresh_token":{},"scope":null}"#, nil),
        Case("an ID token twice", #"{"id_token":"a","id_token":"b"}"#, .refused(.malformed)),
        Case("not JSON", "id_token=a", .refused(.malformed)),
        Case("empty", "", .refused(.malformed)),
        Case("a list", "[]", .refused(.malformed)),
        Case("more than one value", good + "{}", .refused(.malformed)),
        Case("a page", contentType: "text/html", good, .refused(.contentType)),
        Case("no type", contentType: nil, good, .refused(.contentType)),
        Case("a type that begins alike", contentType: "application/json5", good, .refused(.contentType)),
        Case("a type with a blank in it", contentType: "application /json", good, .refused(.contentType)),
        Case("too much", good + String(repeating: " ", count: 256 * 1024), .refused(.tooLarge)),
        Case(
            "an error", status: 400, #"{"error":"invalid_grant"}"#, .refused(.oauth(ErrorWord("invalid_grant")))),
        Case(
            "an error with words", status: 401, #"{"error":"invalid_client","error_description":"no <b>"}"#,
            .refused(.oauth(ErrorWord("invalid_client")))),
        Case("an error of other words", status: 400, #"{"error":"ä\n"}"#, .refused(.oauth(ErrorWord("???")))),
        Case("an error without a code", status: 400, "{}", .refused(.status(400))),
        Case("an empty error", status: 400, #"{"error":""}"#, .refused(.status(400))),
        Case("an error that is an object", status: 400, #"{"error":{"code":1}}"#, .refused(.status(400))),
        Case("an error on a page", status: 400, contentType: "text/html", #"{"error":"x"}"#, .refused(.status(400))),
        Case(
            "an error with 200", #"{"error":"invalid_grant"}"#, .refused(.oauth(ErrorWord("invalid_grant")))),
        Case(
            "an error beside tokens", #"{"id_token":"a","error":"invalid_grant"}"#,
            .refused(.oauth(ErrorWord("invalid_grant")))),
        Case("an error that is null", #"{"id_token":"a","error":null}"#, nil),
        Case("an error that is empty", #"{"id_token":"a","error":""}"#, nil),
        Case("an error with 201", status: 201, #"{"error":"x"}"#, .refused(.oauth(ErrorWord("x")))),
        Case("tokens with 400", status: 400, good, .refused(.status(400))),
        Case("tokens with 201", status: 201, good, .refused(.status(201))),
        Case("an error with 403", status: 403, #"{"error":"x"}"#, .refused(.oauth(ErrorWord("x")))),
        Case("a page with 401", status: 401, contentType: "text/html", "no", .refused(.status(401))),
        Case("a redirect", status: 302, "", .refused(.status(302))),
        Case("out of order", status: 503, #"{"error":"x"}"#, .refused(.status(503))),
    ]

    @Test(arguments: Self.cases) func `only valid responses contain tokens`(_ one: Case) {
        #expect(refusal { () throws(TokenResponseError) in try one.judge() } == one.expected)
    }

    /// What an access token must be where it is used, and only there.
    static let accessTokens: [(String, String, TokenResponseError?)] = [
        ("as it should be", #""access_token":"t","token_type":"Bearer""#, nil),
        ("none", #""token_type":"Bearer""#, nil),
        ("in odd case", #""access_token":"t","token_type":"bEaReR""#, nil),
        // mcp-oauth, Keycloak: with roles and groups they grow beyond 16 KB.
        ("of 200 KiB", #""access_token":"\#(String(repeating: "t", count: 200 * 1024))","token_type":"Bearer""#, nil),
        ("that would break a field", #""access_token":"t\r\nX: y","token_type":"Bearer""#, .refused(.malformed)),
        ("of two words", #""access_token":"t t","token_type":"Bearer""#, .refused(.malformed)),
        ("not ASCII", #""access_token":"té","token_type":"Bearer""#, .refused(.malformed)),
        ("empty", #""access_token":"","token_type":"Bearer""#, .refused(.malformed)),
        ("another type", #""access_token":"t","token_type":"DPoP""#, .tokenType),
        ("no type", #""access_token":"t""#, .tokenType),
        ("type null", #""access_token":"t","token_type":null"#, .tokenType),
        ("type a list", #""access_token":"t","token_type":["Bearer"]"#, .tokenType),
    ]

    @Test(arguments: accessTokens)
    func `an access token is validated when it is used`(
        _ name: String, _ members: String, _ expected: TokenResponseError?
    ) throws {
        // Whoever does not use it does not care.
        let tokens = try TokenResponse(Array("{\"id_token\":\"a\",\(members)}".utf8))
        #expect(refusal { () throws(TokenResponseError) in try tokens.bearerToken() } == expected)
    }

    /// The refresh token is never stored, and the access token only if it will be used. `at_hash` is checked all the
    /// same.
    @Test func `what is not used is not stored`() throws {
        let text =
            #"{"id_token":"a.b.c","access_token":"t0ken","token_type":"Bearer","refresh_token":"r","scope":"openid"}"#
        let tokens = try TokenResponse(Array(text.utf8))
        let whole = tokens.stored(withAccessToken: true)
        #expect(
            String(decoding: whole, as: UTF8.self)
                == #"{"id_token":"a.b.c","access_token":"t0ken","token_type":"Bearer"}"#)
        #expect(try TokenResponse(whole).bearerToken() == Secret("t0ken"))
        let part = tokens.stored(withAccessToken: false)
        #expect(!String(decoding: part, as: UTF8.self).contains("t0ken"))
        let again = try TokenResponse(part)
        #expect(again.idToken == "a.b.c")
        #expect(again.accessToken == nil)
        #expect(again.accessTokenHashes != nil)
        #expect(try TokenResponse(Array(#"{"id_token":"a"}"#.utf8)).stored(withAccessToken: false).count == 16)
    }

    @Test func `the tokens are handed on`() throws {
        let tokens = try TokenResponse(Array(Self.good.utf8))
        #expect(tokens.idToken == "a.b.c")
        #expect(tokens.accessToken == Secret("t"))
    }

    @Test func `failures have a word for the log`() {
        let error = OAuthError(code: "invalid_grant", description: "for 010190-1234")
        #expect(TokenResponseError.refused(.oauth(error.word)).raw == "token_error_invalid_grant")
        #expect(TokenResponseError.refused(.status(503)).raw == "token_status_503")
    }
}
