import Base
import HTTPWire
import Logins
import PhoneKeys
import StrictJSON

/// One login with its app and its browser: each step is a request to the handler.
final class GuardLogin {
    private let server: GuardServer
    private let secret = PollSecret.make()
    private let path: String
    private let bearer: Fields
    /// The URL of the page that a browser opens first.
    private var startURL = ""
    /// The query that the browser brings from the broker, and the cookie that it received before.
    private var callback = ""
    private var cookie = ""
    private var page = ""
    /// The link that opens the app, with the proof.
    private var link = ""
    /// The key of its session, for a login that becomes one.
    private let key: PhoneKey?
    private var refreshToken = ""
    private var proof = ""

    init(server: GuardServer, hasSession: Bool) throws {
        self.server = server
        self.key = hasSession ? try PhoneKey() : nil
        self.path = "/v1/logins/\(self.secret.loginID)"
        self.bearer = [.authorization: "Bearer \(self.secret.exposedText)"]
    }

    func create() async throws {
        let member = self.key.map { ",\"dpop_jkt\":\"\($0.thumbprint)\"" } ?? ""
        let body = "{\"provider\":\"eid\",\"platform\":\"ios\",\"poll_secret\":\"\(self.secret.exposedText)\"\(member)}"
        let answer = try await self.server.send(.post, "/v1/logins", [.contentType: "application/json"], body: body)
        self.startURL = try Self.found(answer.json["next"]?["url"]?.string, in: answer)
    }

    func poll() async throws {
        let answer = try await self.server.send(.get, self.path, self.bearer)
        try Self.expect(answer, .ok)
    }

    /// The browser loads our link and is redirected to the broker, where the user approves.
    func open() async throws {
        let answer = try await self.server.send(.get, self.startURL.replacing(GuardServer.publicURL, with: ""))
        let location = try Self.found(answer.fields[.location], in: answer)
        self.cookie = String(try Self.found(answer.fields[.setCookie], in: answer).prefix { $0 != ";" })
        let query = try FormBody.parse(String(location.drop { $0 != "?" }.dropFirst()))
        let request = Dictionary(query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        let state = try Self.found(request["state"], in: answer)
        let code = try self.server.provider.approve(nonce: try Self.found(request["nonce"], in: answer))
        self.callback = FormBody.encode([
            Parameter("code", code), Parameter("state", state), Parameter("iss", GuardProvider.issuer),
        ])
    }

    /// Returns when the code exchange has finished too.
    func bringAnswer() async throws {
        let answer = try await self.server.send(.get, "/callback/broker?\(self.callback)", [.cookie: self.cookie])
        self.page = try Self.found(answer.fields[.location], in: answer)
        await self.server.exchanged()
    }

    func readPage() async throws {
        let answer = try await self.server.send(.get, self.page, [.cookie: self.cookie])
        let text = String(decoding: answer.body, as: UTF8.self)
        let start = try Self.found(text.firstRange(of: "href=\"\(GuardServer.returnPrefix)"), in: answer)
        let link = text[start.lowerBound...].dropFirst("href=\"".count).prefix { $0 != "\"" }
        self.link = String(link).replacing("&amp;", with: "&")
    }

    func reportReturn() async throws {
        let body = JSON.object(["url": .string(self.link)]).encoded()
        let fields = self.bearer.adding(.contentType, "application/json")
        let answer = try await self.server.send(
            .post, "\(self.path)/return", fields, body: String(decoding: body, as: UTF8.self))
        guard answer.json["status"] == "completed" else { throw Self.unexpected(answer) }
    }

    func beginSession() async throws {
        let proof = try self.proof(of: "/v1/sessions")
        let answer = try await self.server.send(.post, "/v1/sessions", self.bearer.adding(.dpop, proof))
        self.refreshToken = try Self.found(answer.json["refresh_token"]?.string, in: answer)
        try self.makeProof()
    }

    /// Makes the proof of the next renewal.
    func makeProof() throws { self.proof = try self.proof(of: "/oauth/token") }

    func renew() async throws {
        let fields: Fields = [.contentType: "application/x-www-form-urlencoded", .dpop: self.proof]
        let answer = try await self.server.send(
            .post, "/oauth/token", fields,
            body: "grant_type=refresh_token&client_id=demo&refresh_token=\(self.refreshToken)")
        try Self.expect(answer, .ok)
    }

    private func proof(of path: String) throws -> String {
        guard let key = self.key else { throw GuardError.unexpected("a login without a key") }
        return try key.proof("POST", GuardServer.publicURL + path, nonce: self.server.sessions.makeNonce())
    }

    private static func expect(_ answer: Response, _ status: Status) throws {
        guard answer.status == status else { throw self.unexpected(answer) }
    }

    private static func found<Value>(_ value: Value?, in answer: Response) throws -> Value {
        guard let value else { throw self.unexpected(answer) }
        return value
    }

    private static func unexpected(_ answer: Response) -> GuardError {
        .unexpected("\(answer.status.rawValue) \(String(decoding: answer.body, as: UTF8.self))")
    }
}

extension Response {
    fileprivate var json: JSON { (try? JSON(parsing: self.body)) ?? .null }
}

extension Fields {
    fileprivate func adding(_ name: FieldName, _ value: String) -> Fields {
        var fields = self
        fields.add(name, value)
        return fields
    }
}
