/// What a call answers when it is sent again, if that is something else than before. A copied command says it.
struct CallRepeat: Sendable {
    let status: Int
    let reason: String

    /// Nil if a repeat answers the same. `calls` are those of the visitor.
    init?(of call: RecordedCall, among calls: [RecordedCall]) {
        if let answer = Self.ofDeletedLogin(call, calls) {
            self = answer
        } else if let row = Self.rows.first(where: { $0.fits(call) && $0.counts(for: call, calls) }) {
            (self.status, self.reason) = (row.status, row.reason)
        } else if Self.isStart(call), Self.hasEnded(call.login, calls) {
            (self.status, self.reason) = (200, "the login is over, and a page says so.")
        } else if Self.isPoll(call), call.status == nil || call.status == 304 {
            self = Self.ofPoll(call, calls)
        } else if let answer = Self.ofOrder(call, calls) {
            self = answer
        } else {
            return nil
        }
    }

    /// The comment above the command.
    var comment: String { Shell.comment("A repeat answers \(self.status): \(self.reason)") }

    private struct Row: Sendable {
        var to = CallLane.broker
        let method: String
        /// How the path ends.
        let path: String
        let before: Int
        /// What the body or the query contains. Empty for any.
        var part = ""
        var status = 400
        let reason: String
        /// For a page of the broker: the endpoint whose request ends it. Until then the page is shown again.
        var endedBy: String?

        func fits(_ call: RecordedCall) -> Bool {
            guard call.to == self.to, call.method == self.method, call.status == self.before,
                call.endpoint.hasSuffix(self.path)
            else { return false }
            return self.part.isEmpty || call.request.body.contains(self.part) || call.path.contains(self.part)
        }

        func counts(for call: RecordedCall, _ calls: [RecordedCall]) -> Bool {
            // A page with a cookie is shown again only to the browser that has it.
            let setsCookie = call.response?.fields.contains { $0.name.lowercased() == "set-cookie" } ?? false
            guard let endedBy, !setsCookie else { return true }
            return calls.contains { later in
                guard later.login == call.login, later.number >= call.number, later.to == .broker else { return false }
                return later.isEnd(at: endedBy) || later.isCancellation
            }
        }
    }

    private static let rows = [
        Row(
            to: .switchback, method: "POST", path: "/v1/logins", before: 201, status: 200,
            reason: "the server knows the secret, and creates no second login (rule 1)."),
        Row(
            method: "POST", path: "/token", before: 200, part: "client_assertion=", status: 401,
            reason: "the client's own JWT is good for one request (RFC 7523 section 3)."),
        Row(
            method: "POST", path: "/par", before: 201, part: "client_assertion=", status: 401,
            reason: "the client's own JWT is good for one request (RFC 7523 section 3)."),
        Row(
            method: "POST", path: "/token", before: 200, part: "code=",
            reason: "a code is used once, and the broker takes its tokens back (RFC 6749 section 4.1.2)."),
        Row(
            method: "POST", path: "/token", before: 200, part: "auth_req_id=",
            reason: "a request's tokens are given once (CIBA Core section 11)."),
        Row(
            method: "POST", path: "/token", before: 200, part: "headless_req_id=",
            reason: "an order's tokens are given once."),
        Row(
            method: "POST", path: "/decision", before: 303,
            reason: "the user decides once, and the page is gone."),
        Row(
            method: "POST", path: "/decision", before: 200,
            reason: "the user decides once, and the page is gone."),
        Row(
            method: "GET", path: "/authorize", before: 200, part: "request_uri=",
            reason: "a pushed request is used once, and its page is gone after the decision (RFC 9126 section 4).",
            endedBy: "/decision"),
        Row(
            method: "POST", path: "/init-auth", before: 200,
            reason: "the login is over for the broker after the decision.", endedBy: "/ciba/authenticate"),
        Row(
            method: "GET", path: "/ciba/authenticate", before: 200,
            reason: "the page is gone after the decision.", endedBy: "/ciba/authenticate"),
        Row(
            method: "POST", path: "/ciba/authenticate", before: 303,
            reason: "the user decides once, and the page is gone."),
        Row(
            method: "GET", path: "/resume", before: 200,
            reason: "the page is gone after the decision.", endedBy: "/decision"),
        Row(
            method: "GET", path: "/bankid/", before: 200,
            reason: "the order is gone after the decision.", endedBy: "/bankid/"),
        Row(
            method: "POST", path: "/bankid/", before: 200,
            reason: "the user decides once, and the order is gone.", endedBy: "/bankid/"),
        Row(
            method: "GET", path: "/digid-app", before: 200,
            reason: "the login is over for DigiD when its artifact is resolved.", endedBy: "/digid/complete"),
        Row(
            method: "GET", path: "/partner-app", before: 200,
            reason: "the login is over for DigiD when its artifact is resolved.", endedBy: "/digid/complete"),
        Row(
            method: "POST", path: "/digid-app", before: 303,
            reason: "the user decides once, and the page is gone."),
        Row(
            method: "POST", path: "/digid/complete", before: 200,
            reason: "an artifact is resolved once (SAML Bindings section 3.6).", endedBy: "/digid/complete"),
    ]

    /// A call of a login whose result the app has acknowledged.
    private static func ofDeletedLogin(_ call: RecordedCall, _ calls: [RecordedCall]) -> Self? {
        guard call.login != nil, Self.isDeleted(call.login, calls), call.method != "DELETE" else { return nil }
        if Self.isWithSecret(call), call.status != 410, call.status != 400 {
            return Self(
                status: 410, reason: "the app has acknowledged the result, and the server has deleted it (rule 4).")
        }
        // The app may hand the link to another login that waits for one.
        let others = Set(calls.compactMap(\.login)).subtracting([call.login ?? ""])
        guard call.to == .app, call.status == 303, others.allSatisfy({ Self.isDeleted($0, calls) }) else { return nil }
        return Self(status: 200, reason: "no login of the app waits for this link any more, and a page says so.")
    }

    private static func isDeleted(_ login: String?, _ calls: [RecordedCall]) -> Bool {
        calls.contains {
            $0.login == login && $0.from == .app && $0.method == "DELETE" && $0.status == 204
                && $0.path.hasPrefix("/v1/logins/")
        }
    }

    /// Whether the app names the login by its secret.
    private static func isWithSecret(_ call: RecordedCall) -> Bool {
        guard call.from == .app, call.to == .switchback else { return false }
        return call.path.hasPrefix("/v1/logins") || (call.endpoint == "/v1/sessions" && call.status == 200)
    }

    /// The link that a login begins with, which has led to the broker.
    private static func isStart(_ call: RecordedCall) -> Bool {
        call.to == .switchback && call.status == 303 && call.path.hasPrefix("/go/")
    }

    /// Whether the app has heard how the login ended.
    private static func hasEnded(_ login: String?, _ calls: [RecordedCall]) -> Bool {
        calls.contains {
            $0.login == login && $0.from == .app && $0.response?.body.contains("\"final\":true") == true
        }
    }

    private static func isPoll(_ call: RecordedCall) -> Bool {
        call.to == .switchback && call.method == "GET" && call.path.hasPrefix("/v1/logins/")
    }

    /// A poll without news. When the login has changed since, a repeat has that at once.
    private static func ofPoll(_ call: RecordedCall, _ calls: [RecordedCall]) -> Self {
        let hasChanged = calls.contains {
            $0.login == call.login && $0.number > call.number && $0.from == .app && $0.status == 200
        }
        return hasChanged
            ? Self(status: 200, reason: "the login has changed since then.")
            : Self(status: 304, reason: "the login is as it was, and the server holds the poll until it changes.")
    }

    /// Returns what the server's question about an order with launch links gets now, if the order was open then.
    /// Returns nil if the answer has not changed.
    private static func ofOrder(_ call: RecordedCall, _ calls: [RecordedCall]) -> Self? {
        let later = calls.filter { $0.login == call.login && $0.number > call.number && $0.to == .broker }
        let answer = later.last { $0.endpoint == call.endpoint && $0.status != nil }
        switch (call.endpoint, call.status) {
        case ("/bankid/poll", 202):
            // Only the first end counts. An answer from before it says nothing about now.
            let end = later.first { $0.isCancellation || $0.isEnd(at: "/bankid/") }
            guard let end, end.number > answer?.number ?? 0 else { return Self.ofOrder(answer?.status, before: 202) }
            guard !end.hasFault else { return nil }
            return Self.ofOrder(end.request.body.contains("decision=approve") ? 200 : 400, before: 202)
        case ("/bankid/complete", 400): return Self.ofOrder(answer?.status, before: 400)
        default: return nil
        }
    }

    private static func ofOrder(_ status: Int?, before: Int) -> Self? {
        guard let status, status != before else { return nil }
        let reason = status < 400 ? "the user has decided since then." : "the order has ended."
        return Self(status: status, reason: reason)
    }

    private init(status: Int, reason: String) { (self.status, self.reason) = (status, reason) }
}

extension RecordedCall {
    /// The path without its query.
    fileprivate var endpoint: Substring { self.path.prefix { $0 != "?" } }

    /// Whether the server cancels what it has begun at the broker.
    fileprivate var isCancellation: Bool {
        self.from == .switchback && (self.method == "DELETE" || self.endpoint.hasSuffix("/cancel"))
    }

    /// Whether this request ends what the broker's page was for: the user's decision at its form, or the resolution of
    /// DigiD's artifact.
    fileprivate func isEnd(at endpoint: String) -> Bool {
        guard self.method == "POST", self.endpoint.hasSuffix(endpoint) else { return false }
        switch endpoint {
        // Not if it could not resolve the artifact.
        case "/digid/complete": return self.status == 200 && self.response?.body.contains("oauth_token") == true
        // Beginning to sign decides nothing.
        case "/bankid/": return !self.request.body.contains("decision=sign") && !self.isSilent
        case "/ciba/authenticate": return self.status == 303 && !self.isSilent
        default: return true
        }
    }

    /// Whether the broker is told to forget the decision.
    private var isSilent: Bool { self.request.body.contains("fault=never-returns") }

    /// Whether a fault of the sandbox may make something else of the decision.
    fileprivate var hasFault: Bool {
        let fields = self.request.body.split(separator: "&")
        return fields.contains("decision=fail") || fields.contains { $0.hasPrefix("fault=") && $0 != "fault=" }
    }
}
