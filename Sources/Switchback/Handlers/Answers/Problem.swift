/// What a caller is told when it asked wrongly, or when we cannot do what it asked (RFC 9457).
///
/// The code is what programs decide by; it comes from a closed list and never changes its meaning. All texts are our
/// own and fixed: nothing that a caller or a broker sent is repeated, but for the name of a member of the body.
import HTTPWire

package struct Problem: Error, Equatable, Sendable {
    package enum Code: String, CaseIterable, Sendable {
        // The message of HTTP.
        case malformedRequest = "malformed_request"
        case httpsRequired = "https_required"
        case requestTimeout = "request_timeout"
        case contentTooLarge = "content_too_large"
        case uriTooLong = "uri_too_long"
        case expectationFailed = "expectation_failed"
        case headerFieldsTooLarge = "header_fields_too_large"
        case notImplemented = "not_implemented"
        case httpVersionNotSupported = "http_version_not_supported"
        case tooManyConnections = "too_many_connections"
        case responseTimeout = "response_timeout"
        case internalError = "internal_error"
        // What is asked for.
        case notFound = "not_found"
        case methodNotAllowed = "method_not_allowed"
        case preconditionFailed = "precondition_failed"
        // The body of a request.
        case unsupportedMediaType = "unsupported_media_type"
        case malformedJSON = "malformed_json"
        case unknownMember = "unknown_member"
        case missingMember = "missing_member"
        case invalidMember = "invalid_member"
        // Who asks.
        case pollSecretRequired = "poll_secret_required"
        case malformedPollSecret = "malformed_poll_secret"
        case appKeyRefused = "app_key_refused"
        case secretInQuery = "secret_in_query"
        // What the login says.
        case unknownProvider = "unknown_provider"
        case unknownApp = "unknown_app"
        case platformNotSupported = "platform_not_supported"
        case parameterNotAllowed = "parameter_not_allowed"
        case differentBody = "different_body"
        case unknownLogin = "unknown_login"
        case gone
        case notFinal = "not_final"
        case notOurs = "not_ours"
        case wrongCode = "wrong_code"
        // How often.
        case pollingTooFast = "polling_too_fast"
        case tooManyLogins = "too_many_logins"
        case tooManyPending = "too_many_pending"
        // Who does not answer us.
        case brokerUnreachable = "broker_unreachable"
        case storeUnavailable = "store_unavailable"
        /// RFC 6749 §4.1.2.1 has this word for it.
        case temporarilyUnavailable = "temporarily_unavailable"
    }

    package let code: Code
    /// Which member of the body is meant.
    package let member: String?
    /// After how many whole seconds the same may succeed.
    package let retryAfter: Int?
    /// The methods that the address knows, for `Allow`.
    package let allowed: [Method]
    /// How often a person may still type the page's code.
    package let triesLeft: Int?

    package init(_ code: Code, member: String? = nil, retryAfter: Duration? = nil) {
        self.code = code
        self.member = member.flatMap(Self.shown)
        self.retryAfter = retryAfter.map(Self.wholeSeconds) ?? code.retryAfter
        self.allowed = []
        self.triesLeft = nil
    }

    /// A person has typed a code that the page does not show.
    package init(triesLeft: Int) {
        self.code = .wrongCode
        self.member = "code"
        self.retryAfter = nil
        self.allowed = []
        self.triesLeft = triesLeft
    }

    /// The address is there, but not for this method.
    package init(allowed: [Method]) {
        self.code = .methodNotAllowed
        self.member = nil
        self.retryAfter = nil
        self.allowed = allowed
        self.triesLeft = nil
    }

    /// Only what looks like a name and is shorter than any secret: a caller's mistake must not end up in a log.
    static func shown(_ member: String) -> String? {
        let isName = member.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isName && member.utf8.count <= 32 ? member : nil
    }

    /// Rounded up, so that whoever obeys is not too early.
    private static func wholeSeconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return max(1, Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0))
    }
}
