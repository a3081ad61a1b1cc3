import OpenIDConnect
import StrictJSON
import Testing

@testable import Brokers

/// What brokers say, in the words of our log, and what it means.
@Suite struct BrokerWordTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: any BrokerKind
        let error: String
        let description: String?
        let expected: BrokerError.Kind
        let detail: String
        let word: String?

        init(
            _ error: String, _ expected: BrokerError.Kind, _ detail: String, says description: String? = nil,
            kind: any BrokerKind = PlainOpenIDConnect(), word: String? = nil
        ) {
            self.testDescription = "\(kind) \(error) \(description ?? "")"
            self.kind = kind
            self.error = error
            self.description = description
            self.expected = expected
            self.detail = detail
            self.word = word
        }
    }

    private static let neb = Signaturgruppen(takesAnyLink: false)

    static let rows: [Row] = [
        Row("access_denied", .cancelled, "access_denied"),
        // Sign in with Apple JS: the user cancelled. LinkedIn: the member refused, or did not log in.
        Row("user_cancelled_authorize", .cancelled, "user_cancelled_authorize"),
        Row("user_cancelled_login", .cancelled, "user_cancelled_login"),
        // Azure AD B2C: both come as access_denied.
        Row("access_denied", .cancelled, "access_denied", says: "AADB2C90091: The user has cancelled."),
        Row("access_denied", .cancelled, "access_denied", says: "AADB2C90118: The user has forgotten."),
        Row("AADB2C90118", .refused, "AADB2C90118"),
        Row("server_error", .refused, "server_error"),
        Row("USER_CANCELLED_LOGIN", .refused, "USER_CANCELLED_LOGIN"),
        Row("Anne Andersen 010190-1234", .refused, "other"),
        Row("cpr010190-1234", .refused, "other"),
        Row(
            "access_denied", .cancelled, "access_denied mitid_user_aborted", says: "mitid_user_aborted", kind: neb,
            word: "mitid_user_aborted"),
        Row(
            "access_denied", .expired, "access_denied mitid_timeout", says: "mitid_timeout", kind: neb,
            word: "mitid_timeout"),
        Row("server_error", .refused, "server_error some_word", says: "some_word", kind: neb, word: "some_word"),
        Row("access_denied", .cancelled, "access_denied", says: "Anne Andersen", kind: neb),
        Row(
            "access_denied", .refused, "access_denied other", says: "a.word.of.more.than.forty.letters.is.no.word",
            kind: neb, word: "other"),
        Row("Anne Andersen", .refused, "other", says: "Andersen", kind: neb),
    ]

    @Test(arguments: rows) func `each error of a broker means what the table says`(_ row: Row) {
        let failure = row.kind.failure(of: OAuthError(code: row.error, description: row.description))
        #expect(failure.kind == row.expected)
        #expect(failure.detail == row.detail)
        #expect(failure.word?.text == row.word ?? row.detail)
    }

    /// Validation errors have the names of Swift's cases, and are logged in snake_case. A broker's code is not changed.
    @Test func `only our own names are changed to snake_case`() {
        #expect(BrokerError(VerificationError<IDTokenError>.form(.unknownKey)).detail == "id_token_unknown_key")
        #expect(BrokerError(AuthorizationResponseError.responseNotAlone).detail == "response_response_not_alone")
        #expect(BrokerError(UserInfoError.form(.unknownKey)).detail == "userinfo_unknown_key")
        #expect("colonInClientID".snakeCased == "colon_in_client_id")
        #expect("endpointAlias".snakeCased == "endpoint_alias")
        #expect("url".snakeCased == "url")
        let error = TokenResponseError.refused(.oauth(ErrorWord("AADB2C90118")))
        #expect(BrokerError(error).detail == "token_error_AADB2C90118")
    }

    static let polls: [(Int, String, BrokerError.Kind, String)] = [
        (400, #"{"error":"access_denied"}"#, .cancelled, "token_error_access_denied"),
        (400, #"{"error":"expired_token"}"#, .expired, "token_error_expired_token"),
        (400, #"{"error":"Anne Andersen"}"#, .refused, "token_error_other"),
        (400, #"{"error":"AADB2C90118"}"#, .refused, "token_error_AADB2C90118"),
        (503, #"{"error":"x"}"#, .unavailable, "token_status_503"),
        (401, "no", .refused, "token_status_401"),
    ]

    @Test(arguments: polls)
    func `each response to a poll means what the table says`(
        _ status: Int, _ body: String, _ kind: BrokerError.Kind, _ detail: String
    ) {
        let failure = BrokerError(
            poll: ProviderResponse(status: status, contentType: "application/json", body: Array(body.utf8)))
        #expect(failure.kind == kind)
        #expect(failure.detail == detail)
    }

    /// Why keys or discovery are not available, in the words of errors.md.
    @Test func `the reason of a directory failure is carried`() {
        let reasons: [(ProviderDirectoryError, String)] = [
            (.noUsableKey, "keys_none_usable"), (.keySet, "keys_malformed"), (.status(503), "directory_status_503"),
            (.throttled, "keys_throttled"), (.tooLarge, "directory_too_large"),
            (.fetch(.unreachable("")), "directory_unreachable"), (.metadata(.issuer), "discovery_issuer_mismatch"),
        ]
        for (reason, word) in reasons {
            let failures = [
                BrokerError(VerificationError<IDTokenError>.keysUnavailable(reason)),
                BrokerError(VerificationError<AuthorizationResponseError>.keysUnavailable(reason)),
                BrokerError(UserInfoError.keysUnavailable(reason)),
            ]
            for failure in failures {
                #expect(failure.detail == word)
                #expect(failure.kind == .unavailable)
            }
        }
    }
}
