/// What a call answers when it is sent again, if that is something else than before. A copied command says it.
struct CallRepeat: Sendable {
    let status: Int
    let reason: String

    /// Nil if a repeat answers the same. `calls` are those of the visitor.
    init?(of call: RecordedCall, among calls: [RecordedCall]) {
        guard let row = Self.rows.first(where: { $0.fits(call) }) else {
            if Self.isStart(call), Self.hasEnded(call.login, calls) {
                self = Self(status: 200, reason: "the login is over, and a page says so.")
                return
            }
            guard Self.isPoll(call), call.status != 200 else { return nil }
            self = Self.ofPoll(call, calls)
            return
        }
        (self.status, self.reason) = (row.status, row.reason)
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

        func fits(_ call: RecordedCall) -> Bool {
            let path = call.path.prefix { $0 != "?" }
            guard call.to == self.to, call.method == self.method, call.status == self.before, path.hasSuffix(self.path)
            else { return false }
            return self.part.isEmpty || call.request.body.contains(self.part) || call.path.contains(self.part)
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
            reason: "a pushed request is used once, and its page is gone after the decision (RFC 9126 section 4)."),
        Row(
            method: "POST", path: "/init-auth", before: 200,
            reason: "the browser's page of a backchannel login is made once."),
        Row(
            method: "GET", path: "/ciba/authenticate", before: 200,
            reason: "the page is gone after the decision."),
        Row(
            method: "POST", path: "/ciba/authenticate", before: 303,
            reason: "the user decides once, and the page is gone."),
        Row(
            method: "GET", path: "/bankid/", before: 200,
            reason: "the order is gone after the decision."),
        Row(
            method: "POST", path: "/bankid/", before: 200,
            reason: "the user decides once, and the order is gone."),
        Row(
            method: "GET", path: "/digid-app", before: 200,
            reason: "the page is gone after the decision."),
        Row(
            method: "POST", path: "/digid-app", before: 303,
            reason: "the user decides once, and the page is gone."),
        Row(
            method: "POST", path: "/digid/complete", before: 200,
            reason: "an artifact is resolved once (SAML Bindings section 3.6)."),
    ]

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

    private init(status: Int, reason: String) { (self.status, self.reason) = (status, reason) }
}
