import Base
import EndToEndSupport
import HTTPWire
import PhoneKeys
import StrictJSON
import Synchronization

/// An app that stays signed in: it begins, renews, unlocks and ends its session with the key of its phone.
///
/// Each request is made first and sent later, so that a test can send it twice, as after a lost answer.
final class SessionPhone: Sendable {
    struct Request: Sendable {
        let method: String
        let path: String
        var fields: [Parameter]
        var body: [UInt8] = []
    }

    private struct State {
        var nonce: String?
        var session: String?
        var accessToken: String?
        var refreshToken: String?
    }

    static let audience = "https://api.example"

    let server: String
    let client: String
    let key: PhoneKey
    private let state = Mutex(State())

    init(_ server: String, client: String = "demo", key: PhoneKey? = nil) throws {
        self.server = server
        self.client = client
        self.key = try key ?? PhoneKey()
    }

    /// The same session in the hands of somebody with another key.
    func stolen() throws -> SessionPhone {
        let thief = try SessionPhone(self.server, client: self.client)
        let state = self.state.withLock { $0 }
        thief.state.withLock { $0 = state }
        return thief
    }

    var nonce: String? { self.state.withLock { $0.nonce } }
    var session: String { self.state.withLock { $0.session ?? "none" } }
    var accessToken: String? { self.state.withLock { $0.accessToken } }
    var refreshToken: String? { self.state.withLock { $0.refreshToken } }

    func forgetNonce() { self.state.withLock { $0.nonce = nil } }

    // MARK: - Requests

    func beginning(_ app: PhoneApp, hasProof: Bool = true, attestation: JSON? = nil) throws -> Request {
        let proof = hasProof ? [try self.proof("POST", "/v1/sessions")] : []
        let body: JSON? = attestation.map { ["attestation": $0] }
        return Request(
            method: "POST", path: "/v1/sessions",
            fields: [Parameter("Authorization", "Bearer \(app.secret)")] + proof + (body == nil ? [] : [Self.isJSON]),
            body: body?.encoded() ?? [])
    }

    func renewal(pin: Secret? = nil) throws -> Request {
        let form = [
            Parameter("grant_type", "refresh_token"), Parameter("client_id", self.client),
            Parameter("refresh_token", self.refreshToken ?? "none"),
        ]
        return Request(
            method: "POST", path: "/oauth/token",
            fields: [Self.isForm, try self.proof("POST", "/oauth/token", pin: pin)],
            body: Array(FormBody.encode(form).utf8))
    }

    func settingPIN(_ secret: Secret, old: Secret? = nil, session: String? = nil) throws -> Request {
        let path = "/v1/sessions/\(session ?? self.session)/pin"
        let body: JSON = ["pin_secret": .string(Base64URL.encode(secret.exposed))]
        return Request(
            method: "PUT", path: path, fields: [Self.isJSON] + (try self.bearing("PUT", path, pin: old)),
            body: body.encoded())
    }

    func listing() throws -> Request {
        Request(method: "GET", path: "/v1/sessions", fields: try self.bearing("GET", "/v1/sessions"))
    }

    func ending(_ session: String) throws -> Request {
        let path = "/v1/sessions/\(session)"
        return Request(method: "DELETE", path: path, fields: try self.bearing("DELETE", path))
    }

    func revocation() -> Request {
        let form = FormBody.encode([Parameter("token", self.refreshToken ?? "none")])
        return Request(method: "POST", path: "/oauth/revoke", fields: [Self.isForm], body: Array(form.utf8))
    }

    private static let isForm = Parameter("Content-Type", "application/x-www-form-urlencoded")
    private static let isJSON = Parameter("Content-Type", "application/json")

    /// The access token, and the proof for it.
    private func bearing(_ method: String, _ path: String, pin: Secret? = nil) throws -> [Parameter] {
        let token = self.accessToken ?? "none"
        return [
            Parameter("Authorization", "DPoP \(token)"), try self.proof(method, path, accessToken: token, pin: pin),
        ]
    }

    private func proof(
        _ method: String, _ path: String, accessToken: String? = nil, pin: Secret? = nil
    ) throws -> Parameter {
        Parameter(
            "DPoP",
            try self.key.proof(
                method, self.server + path, nonce: self.nonce, accessToken: accessToken,
                pin: pin.map { PhoneKey.PIN($0, session: self.session) }))
    }

    // MARK: - Sending

    /// Sends a request, and keeps what the response brings. A test sends more in a second than a user does, so it
    /// obeys `Retry-After`.
    @discardableResult
    func send(_ request: Request) async throws -> Answer {
        var answer: Answer
        repeat {
            answer = try await TestClient.send(
                request.method, self.server + request.path, fields: request.fields, body: request.body)
            guard answer.status == 429, let seconds = answer[.retryAfter].flatMap({ Int($0) }) else { break }
            try await Task.sleep(for: .seconds(seconds))
        } while true
        self.keep(answer)
        return answer
    }

    /// Makes and sends a request, and a new one if its nonce was too old.
    @discardableResult
    func send(_ make: () throws -> Request) async throws -> Answer {
        let answer = try await self.send(try make())
        guard ["use_dpop_nonce", "dpop_nonce_required"].contains(answer.sessionError) else { return answer }
        return try await self.send(try make())
    }

    /// Keeps the nonce and the tokens of a response, whoever asked for it.
    func keep(_ answer: Answer) {
        self.state.withLock { state in
            state.nonce = answer[.dpopNonce] ?? state.nonce
            guard let json = answer.json, let token = json["access_token"]?.string else { return }
            state.accessToken = token
            state.session = json["session_id"]?.string
            state.refreshToken = json["refresh_token"]?.string ?? state.refreshToken
        }
    }
}
