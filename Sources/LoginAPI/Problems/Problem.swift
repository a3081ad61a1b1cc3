import HTTPWire

/// What a caller is told when its request is wrong, or when we cannot fulfil it (RFC 9457).
///
/// Programs decide by the code. It comes from a closed list, and its meaning never changes. All texts are fixed, or are
/// the operator's: a problem repeats nothing that a caller or a broker sent, except the name of a body member.
package struct Problem: Error, Equatable, Sendable {
    package enum Code: String, CaseIterable, Sendable {
        // The HTTP message.
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
        // The resource.
        case notFound = "not_found"
        case methodNotAllowed = "method_not_allowed"
        case preconditionFailed = "precondition_failed"
        // The body.
        case unsupportedMediaType = "unsupported_media_type"
        case malformedJSON = "malformed_json"
        case unknownMember = "unknown_member"
        case missingMember = "missing_member"
        case invalidMember = "invalid_member"
        // The credentials.
        case pollSecretRequired = "poll_secret_required"
        case malformedPollSecret = "malformed_poll_secret"
        case appKeyRefused = "app_key_refused"
        case secretInQuery = "secret_in_query"
        // The login.
        case unknownProvider = "unknown_provider"
        case providerOff = "provider_off"
        case unknownApp = "unknown_app"
        case platformNotSupported = "platform_not_supported"
        case parameterNotAllowed = "parameter_not_allowed"
        case thumbprintRequired = "dpop_jkt_required"
        case actionRequired = "action_required"
        case differentBody = "different_body"
        case unknownLogin = "unknown_login"
        case gone
        case notFinal = "not_final"
        case notOurs = "not_ours"
        case wrongCode = "wrong_code"
        // The session.
        case dpopProofRequired = "dpop_proof_required"
        case dpopProofInvalid = "dpop_proof_invalid"
        case dpopNonceRequired = "dpop_nonce_required"
        case accessTokenInvalid = "access_token_invalid"
        /// The word is from RFC 9470 §3.
        case insufficientUserAuthentication = "insufficient_user_authentication"
        case sessionNotAllowed = "session_not_allowed"
        case attestationRequired = "attestation_required"
        case attestationInvalid = "attestation_invalid"
        case sessionKeyInUse = "session_key_in_use"
        case sessionUnknown = "session_unknown"
        case sessionEnded = "session_ended"
        case pinTooLate = "pin_too_late"
        case pinMalformed = "pin_malformed"
        case wrongPIN = "wrong_pin"
        // The limits.
        case pollingTooFast = "polling_too_fast"
        case tooManyRequests = "too_many_requests"
        case tooManyLogins = "too_many_logins"
        case tooManyPending = "too_many_pending"
        // A broker or a store does not respond, or the audit cannot be written.
        case brokerUnreachable = "broker_unreachable"
        case storeUnavailable = "store_unavailable"
        case auditUnavailable = "audit_unavailable"
        /// The word is from RFC 6749 §4.1.2.1.
        case temporarilyUnavailable = "temporarily_unavailable"
    }

    package let code: Code
    /// The body member that is wrong.
    package let member: String?
    /// The whole seconds after which the same request may succeed.
    package let retryAfter: Int?
    /// The methods of the resource, for `Allow`.
    package let allowed: [Method]
    /// How often the user may still try to type the page's code, or the PIN.
    package let triesLeft: Int?
    /// Why the attestation is refused, as a word of a closed list.
    package let reason: String?
    /// What an app may show to the user, in the user's language: the operator's words, or ours.
    package let notice: String?

    package init(_ code: Code, member: String? = nil, retryAfter: Duration? = nil) {
        self.init(
            code, member: member.flatMap(Self.displayable),
            retryAfter: retryAfter.map(Self.wholeSeconds) ?? code.retryAfter, allowed: [])
    }

    /// The phone's attestation is refused.
    package init(attestation reason: String) { self.init(.attestationInvalid, allowed: [], reason: reason) }

    /// The user typed a wrong code.
    package init(triesLeft: Int) { self.init(.wrongCode, member: "code", allowed: [], triesLeft: triesLeft) }

    /// The user typed a wrong PIN.
    package init(pinTriesLeft: Int) { self.init(.wrongPIN, allowed: [], triesLeft: pinTriesLeft) }

    /// The provider is switched off.
    package init(providerOff notice: String) {
        self.init(.providerOff, member: "provider", allowed: [], notice: notice)
    }

    /// The resource exists, but does not support this method.
    package init(allowed: [Method]) { self.init(.methodNotAllowed, allowed: allowed) }

    private init(
        _ code: Code, member: String? = nil, retryAfter: Int? = nil, allowed: [Method], triesLeft: Int? = nil,
        reason: String? = nil, notice: String? = nil
    ) {
        self.code = code
        self.member = member
        self.retryAfter = retryAfter
        self.allowed = allowed
        self.triesLeft = triesLeft
        self.reason = reason
        self.notice = notice
    }

    /// Returns only what looks like a name and is shorter than any secret: a secret sent by mistake must not end up in
    /// a log.
    static func displayable(_ member: String) -> String? {
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

    /// Rounds up, so that a client that obeys is not too early.
    static func wholeSeconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return max(1, Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0))
    }
}

/// All that a code says, in the order of the list: its status, what a developer can do, and what is beside the body.
extension Problem.Code {
    private struct Row {
        let status: Status
        let detail: String
        /// The `Retry-After` in seconds if no exact time is known.
        let retryAfter: Int?
        /// The `WWW-Authenticate` (RFC 6750 §3, RFC 9449 §7.1). That of a request without credentials names no error.
        let challenge: String?
        /// See `Code.isOfHTTP`.
        var isOfHTTP = false

        init(_ status: Status, _ detail: String, retryAfter: Int? = nil, challenge: String? = nil) {
            self.status = status
            self.detail = detail
            self.retryAfter = retryAfter
            self.challenge = challenge
        }

        static func http(_ status: Status, _ detail: String, retryAfter: Int? = nil) -> Row {
            var row = Row(status, detail, retryAfter: retryAfter)
            row.isOfHTTP = true
            return row
        }
    }

    package var status: Status { self.row.status }
    package var detail: String { self.row.detail }
    var retryAfter: Int? { self.row.retryAfter }
    var challenge: String? { self.row.challenge }
    /// Whether it refuses an HTTP message, whatever the message asks for.
    package var isOfHTTP: Bool { self.row.isOfHTTP }

    private var row: Row {
        switch self {
        // The HTTP message.
        case .malformedRequest:
            .http(.badRequest, "The bytes are not a valid HTTP request (RFC 9112). Fix the client, or the proxy.")
        case .httpsRequired: .http(.badRequest, "This port speaks TLS. Use https.")
        case .requestTimeout:
            .http(.requestTimeout, "The request did not arrive completely in time. Send it again on a new connection.")
        case .contentTooLarge:
            .http(.contentTooLarge, "The body is larger than the server accepts. Send a smaller one.")
        case .uriTooLong:
            .http(.uriTooLong, "The URL is longer than any URL of this server. Send long values in the body.")
        case .expectationFailed:
            .http(.expectationFailed, "The server supports no expectation other than 100-continue. Remove Expect.")
        case .headerFieldsTooLarge:
            .http(
                .requestHeaderFieldsTooLarge,
                "There are too many header fields, or they are too long. Send fewer of them, and fewer cookies.")
        case .notImplemented:
            .http(.notImplemented, "The server is not a proxy, and supports no transfer coding other than chunked.")
        case .httpVersionNotSupported:
            .http(.httpVersionNotSupported, "The server supports HTTP/1.0 and HTTP/1.1. Use one of them.")
        case .tooManyConnections:
            .http(
                .serviceUnavailable, "The server has too many connections. Connect again after Retry-After seconds.",
                retryAfter: 5)
        case .responseTimeout:
            .http(
                .serviceUnavailable,
                "The server did not respond in time. Send the same request again after Retry-After seconds.",
                retryAfter: 5)
        case .internalError:
            .http(
                .internalServerError,
                "The server made an error. Send the same request again, and report the request_id.")
        // The resource.
        case .notFound: Row(.notFound, "There is nothing at this URL. /openapi.yaml lists the URLs of this server.")
        case .methodNotAllowed:
            Row(.methodNotAllowed, "This URL does not support this method. Use one that the Allow header lists.")
        case .preconditionFailed:
            .http(
                .preconditionFailed,
                "The file does not match If-Match (RFC 9110 §13.1.1). Send the request without it.")
        // The body.
        case .unsupportedMediaType: Row(.unsupportedMediaType, "Send the body as application/json, in UTF-8.")
        case .malformedJSON:
            Row(
                .badRequest,
                "Send one JSON object: no byte order mark, no duplicate member, nothing after it, at most 8 levels deep."
            )
        case .unknownMember:
            Row(.badRequest, "The server does not know this member of the body. Remove it, or check its spelling.")
        case .missingMember: Row(.badRequest, "This member of the body is required.")
        case .invalidMember:
            Row(.badRequest, "This member of the body has the wrong type, or a value that is not allowed.")
        // The credentials.
        case .pollSecretRequired:
            Row(
                .unauthorized, "Send the login's poll_secret as Authorization: Bearer <poll_secret>.",
                challenge: "Bearer")
        case .malformedPollSecret:
            Row(
                .unauthorized, "A poll_secret is 32 random bytes, written as 43 base64url characters.",
                challenge: "Bearer error=\"invalid_token\"")
        case .appKeyRefused:
            Row(
                .unauthorized,
                "The api_key is not that of this login's app. Only the app's backend has it; an app on a phone sends none.",
                challenge: "Bearer error=\"invalid_token\"")
        case .secretInQuery:
            Row(
                .badRequest,
                "A secret in a URL ends up in logs. Make a new one, and send it as Authorization: Bearer <poll_secret>."
            )
        // The login.
        case .unknownProvider:
            Row(
                .unprocessableContent,
                "This app has no provider of this name. GET /v1/providers?app=… lists its providers.")
        case .providerOff:
            Row(
                .conflict,
                "The provider is switched off. Show notice to the user, and offer another one. GET /v1/providers says enabled."
            )
        case .unknownApp:
            Row(.unprocessableContent, "No app has this name. Use the app's name in the configuration of the server.")
        case .platformNotSupported:
            Row(
                .unprocessableContent,
                "The provider does not work there. GET /v1/providers lists where it does, in platforms and web_os.")
        case .parameterNotAllowed:
            Row(
                .unprocessableContent,
                "The provider does not let an app set this parameter or this value, or only with the app's api_key.")
        case .thumbprintRequired:
            Row(
                .unprocessableContent,
                "The app's sessions are bound to a key. Send its thumbprint (RFC 7638), 43 base64url characters, as dpop_jkt."
            )
        case .actionRequired:
            Row(
                .unprocessableContent,
                "This login may need an action that actions does not name. Add it, or offer another provider.")
        case .differentBody:
            Row(
                .unprocessableContent,
                "This poll_secret has started another login. Use a new poll_secret for a new login.")
        case .unknownLogin: Row(.notFound, "There is no such login for this poll_secret. Start a new login.")
        case .gone: Row(.gone, "The result was fetched and deleted, or its time is over. Start a new login.")
        case .notFinal: Row(.conflict, "The login is not final. Continue to poll; to delete it now, cancel it first.")
        case .notOurs:
            Row(
                .unprocessableContent,
                "This link does not belong to this login, or there is no page with a code yet. Nothing was changed. Continue to poll."
            )
        case .wrongCode:
            Row(
                .unprocessableContent,
                "This is not the code on the page. Ask the user again while tries_left is above 0; otherwise cancel.")
        // The session.
        case .dpopProofRequired:
            Row(
                .unauthorized,
                "Send one DPoP header (RFC 9449), signed with the key whose thumbprint was dpop_jkt of the login.",
                challenge: "DPoP algs=\"ES256\"")
        case .dpopProofInvalid:
            Row(
                .unauthorized,
                "The DPoP proof is not valid for this request (RFC 9449 §4.3), or its key is not that of the login or token.",
                challenge: "DPoP error=\"invalid_dpop_proof\", algs=\"ES256\"")
        case .dpopNonceRequired:
            Row(
                .unauthorized,
                "The proof has no nonce, or one that is too old. Send a new proof with the nonce in DPoP-Nonce.",
                challenge: "DPoP error=\"use_dpop_nonce\"")
        case .accessTokenInvalid:
            Row(
                .unauthorized,
                "Send a valid access token of a session as Authorization: DPoP <access_token>, with a proof that has ath.",
                challenge: "DPoP error=\"invalid_token\", algs=\"ES256\"")
        case .insufficientUserAuthentication:
            Row(
                .unauthorized,
                "The session must be unlocked with its PIN, or its user must log in again with the e-ID.",
                challenge: "DPoP error=\"insufficient_user_authentication\"")
        case .sessionNotAllowed:
            Row(
                .forbidden,
                "The login has not succeeded, or its app, provider, e-ID or proof allows no session. Ask the operator.")
        case .attestationRequired:
            Row(
                .forbidden,
                "The app's sessions need an attestation of the phone. Send one as attestation, made for this login and key."
            )
        case .attestationInvalid:
            Row(
                .forbidden,
                "The attestation is not valid for this login, key and app: reason says why. Make a new key and attestation."
            )
        case .sessionKeyInUse:
            Row(.conflict, "This key has a session of another person. Make a new key for this person.")
        case .sessionUnknown: Row(.notFound, "There is no such session, or it belongs to somebody else.")
        case .sessionEnded: Row(.gone, "The session was ended after this login. Start a new login.")
        case .pinTooLate:
            Row(
                .forbidden,
                "The login is older than 15 minutes. Send a pin_proof of the old PIN in the DPoP proof, or start a login."
            )
        case .pinMalformed:
            Row(.unprocessableContent, "A pin_secret is 32 random bytes, written as 43 base64url characters.")
        case .wrongPIN:
            Row(
                .forbidden,
                "This is not the PIN. Ask the user again while tries_left is above 0; otherwise start a new login.")
        // The limits.
        case .pollingTooFast:
            Row(.tooManyRequests, "Poll with Prefer: wait=25 and If-None-Match, or less often.", retryAfter: 1)
        case .tooManyRequests:
            Row(.tooManyRequests, "Send fewer requests. Try again after Retry-After seconds.", retryAfter: 1)
        case .tooManyLogins:
            Row(
                .tooManyRequests,
                "Too many logins were started recently, from here or for this app. Try again after Retry-After seconds.",
                retryAfter: 1)
        case .tooManyPending:
            Row(
                .tooManyRequests,
                "Too many logins are in progress on this server. Try again after Retry-After seconds.",
                retryAfter: 30)
        // A broker or a store does not respond.
        case .brokerUnreachable:
            Row(
                .badGateway,
                "The broker is unreachable, and no login was kept. Send the same request again after Retry-After seconds.",
                retryAfter: 5)
        case .storeUnavailable:
            Row(
                .serviceUnavailable,
                "The store is unreachable; nothing was lost. Send the same request again after Retry-After seconds.",
                retryAfter: 5)
        case .auditUnavailable:
            Row(
                .serviceUnavailable,
                "The server cannot write its audit; nothing was lost. Send the same request again after Retry-After seconds.",
                retryAfter: 5)
        case .temporarilyUnavailable:
            Row(
                .serviceUnavailable,
                "The server is overloaded, and no login was kept. Send the same request again after Retry-After seconds.",
                retryAfter: 5)
        }
    }
}
