import OpenIDConnect
import Testing

/// Which responses to a pushed authorization request contain a reference (RFC 9126 §2.2 and §2.3).
@Suite struct PushedAuthorizationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: ProviderResponse
        let expected: ProviderResponseError?

        init(
            _ name: String, status: Int = 201, contentType: String? = "application/json", _ body: String,
            _ expected: ProviderResponseError?
        ) {
            self.testDescription = name
            self.response = ProviderResponse(status: status, contentType: contentType, body: Array(body.utf8))
            self.expected = expected
        }

        func judge() throws(ProviderResponseError) -> PushedAuthorization { try .validate(self.response) }
    }

    static let good =
        #"{"request_uri":"urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c","expires_in":60}"#

    static func uri(_ text: String) -> String { #"{"request_uri":\#(text),"expires_in":60}"# }

    static func lifetime(_ text: String) -> String { #"{"request_uri":"urn:x","expires_in":\#(text)}"# }

    static let cases: [Case] = [
        Case("RFC 9126 §2.2", good, nil),
        Case("type in other case", contentType: "Application/JSON ; charset=UTF-8", good, nil),
        Case("more than we know", #"{"request_uri":"urn:x","expires_in":60,"x":[]}"#, nil),
        Case("a reference of another form", uri(#""https://id.example/r/1?a=b""#), nil),
        Case("no reference", #"{"expires_in":60}"#, .malformed),
        Case("an empty reference", uri(#""""#), .malformed),
        Case("a reference that is a number", uri("1"), .malformed),
        Case("a reference with a blank", uri(#""urn:a b""#), .malformed),
        Case("a reference with a line break", uri(#""urn:a\r\nX: y""#), .malformed),
        Case("a reference that is not ASCII", uri(#""urn:ä""#), .malformed),
        Case("a long reference", uri("\"" + String(repeating: "u", count: 2048) + "\""), nil),
        Case("a reference without end", uri("\"" + String(repeating: "u", count: 2049) + "\""), .malformed),
        Case("a reference twice", #"{"request_uri":"urn:x","request_uri":"urn:y","expires_in":60}"#, .malformed),
        Case("no lifetime", #"{"request_uri":"urn:x"}"#, .malformed),
        Case("a lifetime as text", lifetime(#""60""#), nil),
        Case("a lifetime with parts of a second", lifetime("60.5"), nil),
        Case("no time left", lifetime("0"), .malformed),
        Case("a lifetime before now", lifetime("-1"), .malformed),
        Case("a lifetime beyond any calendar", lifetime("1e300"), .malformed),
        Case("a lifetime that is a word", lifetime(#""soon""#), .malformed),
        Case("a lifetime that is an object", lifetime("{}"), .malformed),
        Case("not JSON", "request_uri=urn:x", .malformed),
        Case("empty", "", .malformed),
        Case("a list", "[]", .malformed),
        Case("a page", contentType: "text/html", good, .contentType),
        Case("no type", contentType: nil, good, .contentType),
        Case("too much", good + String(repeating: " ", count: 256 * 1024), .tooLarge),
        // RFC 9126 §2.2: only 201 is a success.
        Case("a reference with 200", status: 200, good, .status(200)),
        Case("a reference with 400", status: 400, good, .status(400)),
        Case("an error with 200", status: 200, #"{"error":"x"}"#, .oauth(ErrorWord("x"))),
        Case("an error with 201", #"{"error":"x"}"#, .oauth(ErrorWord("x"))),
        // RFC 9126 §2.3.
        Case(
            "refused", status: 400, #"{"error":"invalid_request"}"#,
            .oauth(ErrorWord("invalid_request"))),
        Case(
            "RFC 9101 §6.2", status: 400,
            #"{"error":"invalid_request_object","error_description":"Invalid JWT request"}"#,
            .oauth(ErrorWord("invalid_request_object"))),
        Case(
            "RFC 6749 §5.2", status: 401, #"{"error":"invalid_client"}"#,
            .oauth(ErrorWord("invalid_client"))),
        Case("an error of other words", status: 400, #"{"error":"ä\n"}"#, .oauth(ErrorWord("???"))),
        Case("an error without a code", status: 400, "{}", .status(400)),
        Case("an error on a page", status: 400, contentType: "text/html", #"{"error":"x"}"#, .status(400)),
        Case("not by this method", status: 405, "", .status(405)),
        Case("too long", status: 413, "", .status(413)),
        Case("too often", status: 429, #"{"error":"x"}"#, .status(429)),
        Case("a redirect", status: 302, "", .status(302)),
        Case("out of order", status: 503, #"{"error":"x"}"#, .status(503)),
    ]

    @Test(arguments: Self.cases) func `only valid responses contain a reference`(_ one: Case) {
        #expect(refusal { () throws(ProviderResponseError) in try one.judge() } == one.expected)
    }

    @Test func `what a response says is handed on`() throws {
        let pushed = try Case("", Self.good, nil).judge()
        #expect(pushed.requestURI == "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c")
        #expect(pushed.expiresIn == 60)
    }

    @Test func `failures have a word for the log`() {
        let error = OAuthError(code: "invalid_request_object", description: "for 010190-1234")
        #expect(ProviderResponseError.oauth(error.word).raw == "error_invalid_request_object")
        #expect(ProviderResponseError.status(503).raw == "status_503")
    }
}
