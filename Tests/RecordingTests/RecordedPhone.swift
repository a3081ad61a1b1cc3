import Base
import PhoneKeys

/// A phone in a recording: its key, its login and its session.
final class RecordedPhone {
    let login: RecordedLogin
    private let name: String
    private let key: PhoneKey
    private let recording: Recording
    private let pin: Secret
    private let wrongPIN = Secret(Array(repeating: 7, count: 32))
    private var nonce: String?
    private(set) var accessToken = "none"
    private(set) var refreshToken = "none"
    private(set) var session = "AAAAAAAAAAAAAAAAAAAAAA"

    init(_ recording: Recording, _ name: String) throws {
        self.name = name
        self.recording = recording
        self.login = RecordedLogin(recording, name)
        PlayedRandom.begin("the key of \(name)")
        self.key = try PhoneKey()
        self.pin = Secret(RandomBytes.make(32))
    }

    var thumbprint: String { self.key.thumbprint }
    var pinText: String { Base64URL.encode(self.pin.exposed) }

    /// Logs in with the code of the page.
    func logIn() async throws {
        try await self.login.arrive("\"app\": \"wallet\", \"dpop_jkt\": \"\(self.thumbprint)\", \"platform\": \"ios\"")
        let code = try await self.login.readPage().code
        self.keep(try await self.login.post("the right code", "return", "{\"code\": \"\(code)\"}"))
    }

    func begin(
        _ step: String, _ fields: [(String, String)] = [], body: String = "",
        change: (inout PhoneKey.Parts) -> Void = { _ in }
    ) async throws {
        let proof = try self.proof(step, "POST", "/v1/sessions", change: change)
        try await self.send(step, "POST", "/v1/sessions", self.login.bearer + self.merged(proof, fields), body)
    }

    func ask(_ step: String, _ method: String, _ path: String) async throws {
        try await self.repeating(step) { step in
            let proof = try self.proof(step, method, path, token: self.accessToken)
            let fields = [("authorization", "DPoP \(self.accessToken)"), ("dpop", proof)]
            return try await self.send(step, method, path, fields, "")
        }
    }

    func setPIN(_ step: String, _ body: String) async throws {
        let path = "/v1/sessions/\(self.session)/pin"
        try await self.repeating(step) { step in
            let proof = try self.proof(step, "PUT", path, token: self.accessToken, pin: self.pin)
            let token = ("authorization", "DPoP \(self.accessToken)")
            return try await self.send(
                step, "PUT", path, [token, ("dpop", proof), ("content-type", "application/json")], body)
        }
    }

    /// `pin` says whether the proof has the right PIN or a wrong one. Nil is none.
    func renew(
        _ step: String, _ fields: [(String, String)] = [], form: [String: String?] = [:], query: String = "",
        pin: Bool? = nil
    ) async throws {
        var members: [String: String?] = [
            "grant_type": "refresh_token", "client_id": "wallet", "refresh_token": self.refreshToken,
        ]
        members.merge(form) { _, new in new }
        let body = members.sorted { $0.key < $1.key }.compactMap { name, value in
            value.map { "\(name)=\(PlayedMessage.encoded($0))" }
        }.joined(separator: "&")
        try await self.repeating(step) { step in
            let proof = try self.proof(step, "POST", "/oauth/token", pin: pin.map { $0 ? self.pin : self.wrongPIN })
            var all = self.merged(proof, fields)
            if !all.contains(where: { $0.0 == "content-type" }) {
                all.append(("content-type", "application/x-www-form-urlencoded"))
            }
            return try await self.send(step, "POST", "/oauth/token\(query)", all, body)
        }
    }

    /// Asks once more if the server wants a newer nonce, as phones do.
    private func repeating(_ step: String, _ ask: (String) async throws -> PlayedMessage) async throws {
        let answer = try await ask(step)
        let code = answer.member("code") ?? answer.member("error")
        guard code == "use_dpop_nonce" || code == "dpop_nonce_required" else { return }
        _ = try await ask("\(step), with the new nonce")
    }

    func revoke(_ step: String, token: String? = nil) async throws {
        try await self.send(
            step, "POST", "/oauth/revoke", [("content-type", "application/x-www-form-urlencoded")],
            "token=\(PlayedMessage.encoded(token ?? self.refreshToken))")
    }

    /// Takes the tokens of another phone, but not its key.
    func steal(from other: RecordedPhone) async throws {
        (self.accessToken, self.refreshToken, self.session) = (other.accessToken, other.refreshToken, other.session)
        self.nonce = other.nonce
    }

    func keep(_ answer: PlayedMessage) {
        self.nonce = answer["dpop-nonce"] ?? self.nonce
        self.accessToken = answer.member("access_token") ?? self.accessToken
        self.refreshToken = answer.member("refresh_token") ?? self.refreshToken
        self.session = answer.member("session_id") ?? self.session
    }

    @discardableResult
    private func send(
        _ step: String, _ method: String, _ path: String, _ fields: [(String, String)], _ body: String
    ) async throws -> PlayedMessage {
        let answer = try await self.recording.send("\(self.name): \(step)", method, path, fields, body: body)
        self.keep(answer)
        return answer
    }

    /// An empty `dpop` is no proof.
    private func merged(_ proof: String, _ fields: [(String, String)]) -> [(String, String)] {
        let own = fields.contains { $0.0 == "dpop" } ? [] : [("dpop", proof)]
        return own + fields.filter { !$0.1.isEmpty }
    }

    private func proof(
        _ step: String, _ method: String, _ path: String, token: String? = nil, pin: Secret? = nil,
        change: (inout PhoneKey.Parts) -> Void = { _ in }
    ) throws -> String {
        PlayedRandom.begin("the proof of \(self.name): \(step)")
        return try self.key.proof(
            method, "https://login.example.com\(path)", nonce: self.nonce, accessToken: token,
            pin: pin.map { PhoneKey.PIN($0, session: self.session) }, issuedAt: try self.recording.now, change: change)
    }
}
