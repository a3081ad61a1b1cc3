import OpenIDConnect
import StrictJSON
import Testing

/// What a provider's error code becomes in the log and in metrics.
@Suite struct ErrorWordTests {
    static let words: [(code: String, text: String, isListed: Bool)] = [
        ("access_denied", "access_denied", true),
        ("invalid_grant", "invalid_grant", true),
        ("expired_login_hint_token", "expired_login_hint_token", true),
        ("use_dpop_nonce", "use_dpop_nonce", true),
        // A provider's own codes, in the case in which its documents have them.
        ("AADB2C90118", "AADB2C90118", false),
        ("AADSTS50011", "AADSTS50011", false),
        ("user_cancelled_authorize", "user_cancelled_authorize", false),
        ("outdatedAppVersion", "outdatedAppVersion", false),
        ("mitid.user-aborted_2", "mitid.user-aborted_2", false),
        ("e", "e", false),
        ("E12345", "E12345", false),
        ("a12345b12345", "a12345b12345", false),
        ("Access_Denied", "Access_Denied", false),
        (String(repeating: "a", count: 40), String(repeating: "a", count: 40), false),
        // What could be a number of a person, however it is parted.
        ("AADSTS900144", "other", false),
        ("cpr0101901234", "other", false),
        ("cpr010190-1234", "other", false),
        ("p-01-01-90-1234", "other", false),
        ("p.0.1.0.1.9.0", "other", false),
        ("p_123_456", "other", false),
        ("pnr19900101-1234", "other", false),
        // Free text.
        ("", "other", false),
        ("Anne Andersen", "other", false),
        ("access denied", "other", false),
        ("access_denied ", "other", false),
        ("_x", "other", false),
        ("1x", "other", false),
        ("-x", "other", false),
        (".x", "other", false),
        ("a/b", "other", false),
        ("a:b", "other", false),
        ("a@b.example", "other", false),
        ("a\nb", "other", false),
        ("a\u{0}b", "other", false),
        ("søren", "other", false),
        ("e\u{301}", "other", false),
        ("\u{212A}elvin", "other", false),
        ("<b>", "other", false),
        (String(repeating: "a", count: 41), "other", false),
    ]

    @Test(arguments: words) func `a code becomes a word of the log`(_ code: String, _ text: String, _ isListed: Bool) {
        let word = ErrorWord(code)
        #expect(word.text == text)
        #expect(word.isListed == isListed)
        // The same on its way from a response, whose code is cleaned first.
        #expect(OAuthError(code: code).word.text == text)
    }

    @Test func `a code in a kind's list counts as listed`() {
        #expect(ErrorWord("mitid_timeout", listed: ["mitid_timeout"]).isListed)
        #expect(!ErrorWord("mitid_timeout", listed: ["mitid_other"]).isListed)
    }

    @Test func `registered codes follow the rule themselves`() {
        for code in ErrorWord.registered {
            #expect(code.wholeMatch(of: /[a-z][a-z_]{1,39}/) != nil, "\(code)")
        }
    }

    /// The words of the log that contain a code.
    @Test(arguments: words)
    func `the words of the log contain the code`(_ code: String, _ text: String, _: Bool) throws {
        guard !code.isEmpty else { return }
        let body: JSON = ["error": .string(code), "error_description": "for Anne, 010190-1234"]
        let response = ProviderResponse(status: 400, contentType: "application/json", body: body.encoded())
        let tokens = refusal { () throws(TokenResponseError) in try TokenResponse.validate(response) }
        #expect(tokens?.raw == "token_error_\(text)")
        #expect(tokens?.word?.text == text)
        let push = refusal { () throws(ProviderResponseError) in try PushedAuthorization.validate(response) }
        #expect(push?.raw == "error_\(text)")
        #expect(push?.word?.text == text)
    }
}
