/// One request of the five rules.
import Foundation

enum Call: Hashable, Sendable {
    /// Rule 1.
    case create
    /// Rule 4.
    case poll
    /// Rule 3: with the link that opened the app. Rule 5: without one.
    case comeBack(link: String?)
    /// Rule 2, `enter_code`.
    case enterCode(String)
    /// Rule 5: the person pressed Cancel in the app.
    case cancel
    /// Rule 5, the end.
    case acknowledge

    /// What the retry table knows of it.
    enum Kind: CaseIterable, Sendable {
        case create, poll, comeBack, cancel, acknowledge
    }

    var kind: Kind {
        switch self {
        case .create: .create
        case .poll: .poll
        case .comeBack, .enterCode: .comeBack
        case .cancel: .cancel
        case .acknowledge: .acknowledge
        }
    }
}

// MARK: - On the wire

extension Call {
    /// How long an answer may take that is not held.
    private static let patience: Double = 20

    /// Nil for a call that needs the login's id while there is none.
    func request(for record: OpenLogin, at server: URL, polling: PollHints?, etag: String?) -> HTTPRequest? {
        if case .create = self { return Self.create(record, at: server) }
        guard let id = record.login else { return nil }
        let url = server.appendingPathComponent("v1/logins/\(id)")
        let bearer = ["Authorization": "Bearer \(record.secret.exposed)", "Accept": "application/json"]
        switch self {
        case .create: return nil
        case .poll:
            // Without a validator a poll is held until the login is final: then ask how it stands, at once.
            guard let etag, let wait = polling?.wait, wait > 0 else {
                return HTTPRequest(method: "GET", url: url, fields: bearer, body: nil, timeout: Self.patience)
            }
            let fields = bearer.merging(["Prefer": "wait=\(wait)", "If-None-Match": etag]) { $1 }
            return HTTPRequest(
                method: "GET", url: url, fields: fields, body: nil, timeout: Double(wait) + Self.patience)
        case .comeBack(let link):
            return Self.comeBack("url", link, to: url, bearer)
        case .enterCode(let code):
            return Self.comeBack("code", code, to: url, bearer)
        case .cancel:
            let fields = bearer.merging(["Prefer": "wait=5"]) { $1 }
            return HTTPRequest(
                method: "POST", url: url.appendingPathComponent("cancel"), fields: fields, body: nil,
                timeout: 5 + Self.patience)
        case .acknowledge:
            return HTTPRequest(method: "DELETE", url: url, fields: bearer, body: nil, timeout: Self.patience)
        }
    }

    private static func create(_ record: OpenLogin, at server: URL) -> HTTPRequest? {
        HTTPRequest(
            method: "POST", url: server.appendingPathComponent("v1/logins"),
            fields: ["Content-Type": "application/json", "Accept": "application/json"],
            body: Self.json(NewLoginBody(record)), timeout: Self.patience)
    }

    private static func comeBack(_ name: String, _ text: String?, to url: URL, _ bearer: [String: String])
        -> HTTPRequest
    {
        HTTPRequest(
            method: "POST", url: url.appendingPathComponent("return"),
            fields: bearer.merging(["Content-Type": "application/json"]) { $1 },
            body: Self.json([name: text]), timeout: Self.patience)
    }

    /// The same value is the same bytes, today and after an update of the app.
    private static func json(_ value: some Encodable) -> Data? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try? encoder.encode(value)
    }
}

/// What `POST /v1/logins` is sent.
private struct NewLoginBody: Encodable {
    let record: OpenLogin

    init(_ record: OpenLogin) { self.record = record }

    private enum CodingKeys: String, CodingKey { case secret = "poll_secret" }

    func encode(to encoder: any Encoder) throws {
        try self.record.request.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(self.record.secret.exposed, forKey: .secret)
    }
}
