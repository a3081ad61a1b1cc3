import Base
import HTTPWire
import PhoneKeys
import StrictJSON
import Synchronization
import Testing

/// A phone with a key and a session, on a bench.
final class BenchPhone: Sendable {
    private struct State {
        var nonce: String?
        var tokens: JSON = .null
    }

    private static let url = "https://login.example.com"

    let bench: HandlerBench
    let key: PhoneKey
    private let state = Mutex(State())

    init(_ bench: HandlerBench, key: PhoneKey? = nil) throws {
        self.bench = bench
        self.key = try key ?? PhoneKey()
    }

    var session: String { self.tokens["session_id"]?.string ?? "AAAAAAAAAAAAAAAAAAAAAA" }
    var refreshToken: String { self.tokens["refresh_token"]?.string ?? "none" }
    private var tokens: JSON { self.state.withLock { $0.tokens } }

    /// Logs in by the code of the page.
    func login() async throws -> BenchApp {
        var person = PagePerson(self.bench, ["dpop_jkt": .string(self.key.thumbprint), "platform": "ios"])
        try await person.take(.finish)
        try await person.take(.rightCode)
        self.keep(try await person.app.poll())
        return person.app
    }

    /// Logs in, and begins the session.
    @discardableResult
    func begin() async throws -> BenchApp {
        let app = try await self.login()
        try #require(try await self.begin(app).status == .ok)
        return app
    }

    func begin(_ app: BenchApp, _ more: Fields = [:], body: String = "") async throws -> Response {
        var fields = app.bearer.adding(.dpop, try self.proof("POST", "/v1/sessions"))
        for field in more { fields[field.name] = field.value }
        return self.keep(try await self.bench.send(.post, "/v1/sessions", fields, body: body))
    }

    /// A request with the access token and a proof for it.
    func send(
        _ method: HTTPWire.Method, _ path: String, json: JSON? = nil, pin: Secret? = nil
    ) async throws -> Response {
        let token = self.tokens["access_token"]?.string ?? "none"
        var fields: Fields = [
            .authorization: "DPoP \(token)",
            .dpop: try self.proof(method.rawValue, path, accessToken: token, pin: pin),
        ]
        if json != nil { fields[.contentType] = "application/json" }
        let body = json.map { String(decoding: $0.encoded(), as: UTF8.self) } ?? ""
        return self.keep(try await self.bench.send(method, path, fields, body: body))
    }

    func setPIN(_ secret: Secret, old: Secret? = nil) async throws -> Response {
        try await self.send(
            .put, "/v1/sessions/\(self.session)/pin", json: ["pin_secret": .string(Base64URL.encode(secret.exposed))],
            pin: old)
    }

    func renew(
        pin: Secret? = nil, form: [String: String?] = [:], _ more: Fields = [:], query: String = ""
    ) async throws -> Response {
        var members: [String: String?] = [
            "grant_type": "refresh_token", "client_id": "demo", "refresh_token": self.refreshToken,
        ]
        members.merge(form) { _, new in new }
        var fields: Fields = [
            .contentType: "application/x-www-form-urlencoded",
            .dpop: try self.proof("POST", "/oauth/token", pin: pin),
        ]
        for field in more { fields[field.name] = field.value }
        let parameters = members.compactMap { name, value in value.map { Parameter(name, $0) } }
        return self.keep(
            try await self.bench.send(.post, "/oauth/token\(query)", fields, body: FormBody.encode(parameters)))
    }

    func revoke(_ token: String? = nil) async throws -> Response {
        try await self.bench.send(
            .post, "/oauth/revoke", [.contentType: "application/x-www-form-urlencoded"],
            body: FormBody.encode([Parameter("token", token ?? self.refreshToken)]))
    }

    func proof(
        _ method: String, _ path: String, accessToken: String? = nil, pin: Secret? = nil,
        change: (inout PhoneKey.Parts) -> Void = { _ in }
    ) throws -> String {
        try self.key.proof(
            method, Self.url + path, nonce: self.state.withLock { $0.nonce }, accessToken: accessToken,
            pin: pin.map { PhoneKey.PIN($0, session: self.session) }, issuedAt: self.bench.clock.now(), change: change)
    }

    /// Keeps the nonce and the tokens of a response.
    @discardableResult
    func keep(_ response: Response) -> Response {
        let json = response.json
        self.state.withLock { state in
            state.nonce = response.fields[.dpopNonce] ?? state.nonce
            if json["access_token"] != nil { state.tokens = json }
        }
        return response
    }
}

extension Response {
    /// `400 wrong_pin`, for problems and for errors of OAuth.
    var sessionBrief: String {
        ([String(self.status.rawValue)] + [(self.json["code"] ?? self.json["error"])?.string].compactMap { $0 })
            .joined(separator: " ")
    }
}
