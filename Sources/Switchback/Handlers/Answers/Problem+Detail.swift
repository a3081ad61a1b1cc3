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
