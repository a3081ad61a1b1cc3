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
        // A broker or a store does not answer.
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

/// The only place where a problem becomes a number.
extension Problem.Code {
    package var status: Status {
        switch self {
        case .malformedRequest, .httpsRequired: .badRequest
        case .requestTimeout: .requestTimeout
        case .contentTooLarge: .contentTooLarge
        case .uriTooLong: .uriTooLong
        case .expectationFailed: .expectationFailed
        case .headerFieldsTooLarge: .requestHeaderFieldsTooLarge
        case .internalError: .internalServerError
        case .notImplemented: .notImplemented
        case .httpVersionNotSupported: .httpVersionNotSupported
        case .preconditionFailed: .preconditionFailed
        case .malformedJSON, .unknownMember, .missingMember, .invalidMember, .secretInQuery: .badRequest
        case .pollSecretRequired, .malformedPollSecret, .appKeyRefused: .unauthorized
        case .notFound, .unknownLogin: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notFinal: .conflict
        case .gone: .gone
        case .unsupportedMediaType: .unsupportedMediaType
        case .unknownProvider, .unknownApp, .platformNotSupported, .parameterNotAllowed, .differentBody, .notOurs,
            .wrongCode:
            .unprocessableContent
        case .pollingTooFast, .tooManyLogins, .tooManyPending: .tooManyRequests
        case .brokerUnreachable: .badGateway
        case .storeUnavailable, .temporarilyUnavailable, .tooManyConnections, .responseTimeout: .serviceUnavailable
        }
    }

    /// After how many seconds the same may succeed, where nobody knows better.
    var retryAfter: Int? {
        switch self {
        case .tooManyPending: 30
        case .brokerUnreachable, .storeUnavailable, .temporarilyUnavailable, .tooManyConnections, .responseTimeout: 5
        case .pollingTooFast, .tooManyLogins: 1
        case .malformedRequest, .httpsRequired, .requestTimeout, .contentTooLarge, .uriTooLong, .expectationFailed,
            .headerFieldsTooLarge, .notImplemented, .httpVersionNotSupported, .internalError, .preconditionFailed,
            .notFound, .methodNotAllowed, .unsupportedMediaType, .malformedJSON, .unknownMember, .missingMember,
            .invalidMember, .pollSecretRequired, .malformedPollSecret, .appKeyRefused, .secretInQuery, .unknownProvider,
            .unknownApp, .platformNotSupported,
            .parameterNotAllowed, .differentBody, .unknownLogin, .gone, .notFinal, .notOurs, .wrongCode:
            nil
        }
    }
}

/// The sentence that tells a developer what to do about a problem.
extension Problem.Code {
    package var detail: String {
        switch self {
        case .malformedRequest: "These bytes are no request of HTTP (RFC 9112). Mend the client, or the proxy."
        case .httpsRequired: "This port speaks TLS. Ask by https."
        case .requestTimeout: "The request was not whole within its time. Send it again on a new connection."
        case .contentTooLarge: "The body is larger than any request to this server. Send a smaller one."
        case .uriTooLong: "The address is longer than any of this server. Send what is long in the body."
        case .expectationFailed: "The server knows no other expectation than 100-continue. Leave Expect out."
        case .headerFieldsTooLarge:
            "There are too many header fields, or they are too long. Send fewer, and fewer cookies."
        case .notImplemented: "The server is no proxy, and knows no other transfer coding than chunked."
        case .httpVersionNotSupported: "The server speaks the versions 1.0 and 1.1 of HTTP."
        case .tooManyConnections: "The server has too many connections. Connect again after Retry-After seconds."
        case .responseTimeout: "There was no answer in time. Send the same request again after Retry-After seconds."
        case .internalError: "The server has made a mistake. Send the same request again, and report the request_id."
        case .preconditionFailed: "The file is another one than If-Match names (RFC 9110 §13.1.1)."
        case .notFound: "There is nothing at this address. The addresses are in /openapi.yaml."
        case .methodNotAllowed: "This address does not know this method. Use one that the Allow header lists."
        case .unsupportedMediaType: "Send the body as application/json, in UTF-8."
        case .malformedJSON:
            "Send one JSON object: no byte order mark, no member twice, nothing after it, at most 8 levels deep."
        case .unknownMember: "This member of the body is not known here. Leave it out, or look for a slip in its name."
        case .missingMember: "This member of the body is required."
        case .invalidMember: "This member of the body has the wrong type or a value that is not allowed here."
        case .pollSecretRequired: "Send the login's poll_secret as Authorization: Bearer <poll_secret>."
        case .malformedPollSecret: "A poll_secret is 32 random bytes, written as 43 base64url characters."
        case .appKeyRefused:
            "The api_key that was shown is not that of this login's app. Only the app's backend has it; an app on a phone sends none."
        case .secretInQuery:
            "A secret in an address ends up in logs. Send it as Authorization: Bearer <poll_secret>, and use a new one."
        case .unknownProvider: "This app has no provider of this name. GET /v1/providers?app=… lists those that it has."
        case .unknownApp: "No app has this name. When more than one is configured, the app must be named."
        case .platformNotSupported:
            "The provider does not work there. GET /v1/providers says in platforms and web_os where each of them does."
        case .parameterNotAllowed:
            "The provider does not let an app set this parameter, or not to this, or not without the app's api_key."
        case .differentBody: "This poll_secret has started another login. Use a new one for a new login."
        case .unknownLogin: "There is no such login for this poll_secret. Start a new one."
        case .gone: "The result was fetched and deleted, or kept for as long as was promised. Start a new login."
        case .notFinal: "Only a login that is final can be deleted. Cancel it first."
        case .notOurs: "This link does not belong to this login. Nothing was changed; go on polling."
        case .wrongCode:
            "This is not the code on the page. Let the person look again, while tries_left is more than 0; else cancel."
        case .pollingTooFast: "Poll with Prefer: wait=25 and If-None-Match, or less often."
        case .tooManyLogins: "Too many logins were started from here lately. Try again after Retry-After seconds."
        case .tooManyPending: "Too many logins are under way on this server. Try again after Retry-After seconds."
        case .brokerUnreachable:
            "The broker cannot be reached, and no login was kept. Send the same request again after Retry-After seconds."
        case .storeUnavailable:
            "The store cannot be reached; nothing was lost. Send the same request again after Retry-After seconds."
        case .temporarilyUnavailable:
            "The server is overloaded, and no login was kept. Send the same request again after Retry-After seconds."
        }
    }
}
