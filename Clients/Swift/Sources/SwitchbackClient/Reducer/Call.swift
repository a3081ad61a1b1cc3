import Foundation

/// One request of the five rules.
enum Call: Hashable, Sendable {
    /// Rule 1.
    case create
    /// Rule 4.
    case poll
    /// Rule 3, with the link that opened the app; or rule 5, without a link.
    case reportReturn(link: String?)
    /// Rule 2, `enter_code`.
    case enterCode(String)
    /// Rule 5: the user tapped Cancel in the app.
    case cancel
    /// Rule 5: the app has the result.
    case acknowledge

    /// The kinds of calls that the retry table tells apart.
    enum Kind: CaseIterable, Sendable {
        case create, poll, reportReturn, cancel, acknowledge
    }

    var kind: Kind {
        switch self {
        case .create: .create
        case .poll: .poll
        case .reportReturn, .enterCode: .reportReturn
        case .cancel: .cancel
        case .acknowledge: .acknowledge
        }
    }
}

// MARK: - On the wire

extension Call {
    /// The timeout, in seconds, of every call that is no long poll.
    private static let responseTimeout: Double = 20

    /// Returns nil for a call that needs the login's id while it is unknown.
    func request(for record: SavedLogin, at server: URL, polling: PollHints?, validator: String?) -> HTTPRequest? {
        if case .create = self { return Self.create(record, at: server) }
        guard let id = record.login else { return nil }
        let url = server.appendingPathComponent("v1/logins/\(id)")
        let bearer = ["Authorization": "Bearer \(record.secret.exposed)", "Accept": "application/json"]
        switch self {
        case .create: return nil
        case .poll:
            // Without a validator the server would hold the poll until the login is final. This poll gets the current state
            // at once.
            guard let validator, let wait = polling?.wait, wait > 0 else {
                return HTTPRequest(method: "GET", url: url, fields: bearer, body: nil, timeout: Self.responseTimeout)
            }
            let fields = bearer.merging(["Prefer": "wait=\(wait)", "If-None-Match": validator]) { $1 }
            return HTTPRequest(
                method: "GET", url: url, fields: fields, body: nil, timeout: Double(wait) + Self.responseTimeout)
        case .reportReturn(let link):
            return Self.reportReturn("url", link, to: url, bearer)
        case .enterCode(let code):
            return Self.reportReturn("code", code, to: url, bearer)
        case .cancel:
            let fields = bearer.merging(["Prefer": "wait=5"]) { $1 }
            return HTTPRequest(
                method: "POST", url: url.appendingPathComponent("cancel"), fields: fields, body: nil,
                timeout: 5 + Self.responseTimeout)
        case .acknowledge:
            return HTTPRequest(method: "DELETE", url: url, fields: bearer, body: nil, timeout: Self.responseTimeout)
        }
    }

    private static func create(_ record: SavedLogin, at server: URL) -> HTTPRequest? {
        HTTPRequest(
            method: "POST", url: server.appendingPathComponent("v1/logins"),
            fields: ["Content-Type": "application/json", "Accept": "application/json"],
            body: Self.json(NewLoginBody(record)), timeout: Self.responseTimeout)
    }

    private static func reportReturn(_ name: String, _ text: String?, to url: URL, _ bearer: [String: String])
        -> HTTPRequest
    {
        HTTPRequest(
            method: "POST", url: url.appendingPathComponent("return"),
            fields: bearer.merging(["Content-Type": "application/json"]) { $1 },
            body: Self.json([name: text]), timeout: Self.responseTimeout)
    }

    /// Encodes the same value to the same bytes, also after an update of the app: a repeated create must not change.
    private static func json(_ value: some Encodable) -> Data? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try? encoder.encode(value)
    }
}

/// The body of `POST /v1/logins`.
private struct NewLoginBody: Encodable {
    let record: SavedLogin

    init(_ record: SavedLogin) { self.record = record }

    private enum CodingKeys: String, CodingKey {
        case replaces
        case secret = "poll_secret"
    }

    func encode(to encoder: any Encoder) throws {
        try self.record.request.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(self.record.secret.exposed, forKey: .secret)
        try values.encodeIfPresent(self.record.request.replaces?.exposed, forKey: .replaces)
    }
}
