import Foundation

/// One request about a session, without its DPoP proof.
struct SessionCall: Equatable, Sendable {
    let kind: Kind
    let method: String
    let url: URL
    let fields: [String: String]
    let body: Data?

    /// The kinds of calls that `SessionTable` tells apart. An unlock is a renewal with a proof of the PIN.
    enum Kind: CaseIterable, Sendable {
        case begin, renew, setPIN, list, end, revoke
    }

    /// The request, with a proof unless the call is a revocation.
    func request(proof: String?) -> HTTPRequest {
        HTTPRequest(
            method: self.method, url: self.url, fields: self.fields.merging(proof.map { ["DPoP": $0] } ?? [:]) { $1 },
            body: self.body, timeout: 20)
    }
}

extension SessionCall {
    static func begin(_ secret: PollSecret, _ attestation: KeyAttestation?, at server: URL) -> SessionCall {
        var fields = ["Authorization": "Bearer \(secret.exposed)", "Accept": "application/json"]
        if attestation != nil { fields["Content-Type"] = "application/json" }
        return SessionCall(
            kind: .begin, method: "POST", url: server.appendingPathComponent("v1/sessions"), fields: fields,
            body: attestation?.body)
    }

    static func renew(_ refreshToken: Secret, app: String, at server: URL) -> SessionCall {
        SessionCall.form(
            .renew, server.appendingPathComponent("oauth/token"),
            [("grant_type", "refresh_token"), ("client_id", app), ("refresh_token", refreshToken.exposed)])
    }

    static func revoke(_ refreshToken: Secret, at server: URL) -> SessionCall {
        SessionCall.form(
            .revoke, server.appendingPathComponent("oauth/revoke"),
            [("token", refreshToken.exposed), ("token_type_hint", "refresh_token")])
    }

    static func setPIN(_ candidate: PINCandidate, of session: String, _ token: Secret, at server: URL) -> SessionCall {
        SessionCall(
            kind: .setPIN, method: "PUT", url: server.appendingPathComponent("v1/sessions/\(session)/pin"),
            fields: self.authorization(token).merging(["Content-Type": "application/json"]) { $1 },
            body: Data(#"{"pin_secret":"\#(candidate.secret.text)","pin_id":"\#(candidate.pin.id)"}"#.utf8))
    }

    static func list(_ token: Secret, at server: URL) -> SessionCall {
        SessionCall(
            kind: .list, method: "GET", url: server.appendingPathComponent("v1/sessions"),
            fields: self.authorization(token), body: nil)
    }

    static func end(_ session: String, _ token: Secret, at server: URL) -> SessionCall {
        SessionCall(
            kind: .end, method: "DELETE", url: server.appendingPathComponent("v1/sessions/\(session)"),
            fields: self.authorization(token), body: nil)
    }

    private static func authorization(_ token: Secret) -> [String: String] {
        ["Authorization": "DPoP \(token.exposed)", "Accept": "application/json"]
    }

    private static func form(_ kind: Kind, _ url: URL, _ parameters: [(name: String, value: String)]) -> SessionCall {
        let text = parameters.map { "\($0.name)=\(self.escape($0.value))" }.joined(separator: "&")
        return SessionCall(
            kind: kind, method: "POST", url: url,
            fields: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"],
            body: Data(text.utf8))
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: self.unreserved) ?? ""
    }
}

extension SessionCall: CustomStringConvertible, CustomReflectable {
    /// The method and the path, which are not secret.
    public var description: String { "\(self.method) \(self.url.path)" }

    /// The method and the path, which are not secret.
    public var customMirror: Mirror { Mirror(self, children: ["method": self.method, "path": self.url.path]) }
}
