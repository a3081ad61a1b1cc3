import Base
import Foundation
import PhoneKeys
import Served
import StrictJSON

/// A phone whose session a served Switchback keeps, and the bytes of its requests.
struct ServedPhone: Sendable {
    private let server: String
    private let key: PhoneKey
    private let session: String
    private let accessToken: String
    private let refreshToken: String
    private let pin = Secret(RandomBytes.make(32))

    /// Logs in and begins a session. It needs a PIN then (`setPIN`).
    init(_ server: String, _ client: LoginClient, nonce: String) async throws {
        let key = try PhoneKey()
        let secret = try await client.logIn(key: key.thumbprint)
        let url = "\(server)/v1/sessions"
        let fields = [
            Parameter("Authorization", "Bearer \(secret)"),
            Parameter("DPoP", try key.proof("POST", url, nonce: nonce)),
        ]
        let json = try JSON(parsing: try await client.send(.post, url, fields, expecting: 200).body)
        guard let session = json["session_id"]?.string, let accessToken = json["access_token"]?.string,
            let refreshToken = json["refresh_token"]?.string
        else { throw LoginClient.Failure(description: "the login became no session") }
        (self.server, self.key, self.session) = (server, key, session)
        (self.accessToken, self.refreshToken) = (accessToken, refreshToken)
    }

    /// Returns a nonce for proofs. Any refusal of the endpoint has one.
    static func nonce(_ server: String, _ client: LoginClient) async throws -> String {
        let answer = try await client.send(.post, "\(server)/oauth/token", expecting: 400)
        guard let nonce = answer["dpop-nonce"] else { throw LoginClient.Failure(description: "no nonce") }
        return nonce
    }

    // MARK: - Requests

    func setPIN(nonce: String) throws -> [UInt8] {
        let path = "/v1/sessions/\(self.session)/pin"
        let proof = try self.key.proof("PUT", self.server + path, nonce: nonce, accessToken: self.accessToken)
        let body: JSON = ["pin_secret": .string(Base64URL.encode(self.pin.exposed))]
        return Self.request(
            "PUT \(path)", type: "application/json", proof, ["Authorization: DPoP \(self.accessToken)"],
            String(decoding: body.encoded(), as: UTF8.self))
    }

    func renewal(nonce: String) throws -> [UInt8] { try self.token(nonce, nil) }

    func unlock(nonce: String) throws -> [UInt8] {
        try self.token(nonce, PhoneKey.PIN(self.pin, session: self.session))
    }

    private func token(_ nonce: String, _ pin: PhoneKey.PIN?) throws -> [UInt8] {
        let proof = try self.key.proof("POST", "\(self.server)/oauth/token", nonce: nonce, pin: pin)
        return Self.request(
            "POST /oauth/token", type: "application/x-www-form-urlencoded", proof, [],
            "grant_type=refresh_token&client_id=demo&refresh_token=\(self.refreshToken)")
    }

    private static func request(
        _ line: String, type: String, _ proof: String, _ fields: [String], _ body: String
    ) -> [UInt8] {
        let head =
            ["\(line) HTTP/1.1", "Host: 127.0.0.1", "Content-Type: \(type)", "DPoP: \(proof)"] + fields
            + ["Content-Length: \(body.utf8.count)"]
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }

    /// A request that needs no work: a file in memory.
    static let emptyRequest = Array("GET /.well-known/jwks.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
}
