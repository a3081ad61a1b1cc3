import Base
import Cryptography
import JOSE
import StrictJSON
import Testing

/// The token endpoint's response to one code, and what can be done with it.
struct Tokens: Sendable {
    let stage: Stage
    let code: String
    let answer: RawClient.Answer

    init(
        _ stage: Stage, code: String, changes: [String: String?] = [:], fields: [String] = [],
        extra: [Parameter] = []
    ) async throws {
        self.stage = stage
        self.code = code
        let form = stage.tokenRequest(code, changes) + extra
        self.answer = try await stage.http.post("/token", form: form, fields: fields)
    }

    var json: JSON { get throws { try JSON(parsing: self.answer.body) } }

    var accessToken: String { get throws { try #require(try self.json["access_token"]?.string) } }

    var idToken: String { get throws { try #require(try self.json["id_token"]?.string) } }

    /// The error code, or nil.
    var error: String? { (try? self.json)?["error"]?.string }

    /// Verifies with the published keys, as a relying party would.
    func claims(allowing algorithm: SignatureAlgorithm) async throws -> JSON.Object {
        let keys = try JWKSet(parsing: try await self.stage.http.get("/jwks").body)
        let verified = try CompactJWS(parsing: try self.idToken).verified(with: keys, allowing: [algorithm])
        return try #require(verified.claims())
    }

    func userinfo() async throws -> RawClient.Answer {
        try await self.stage.http.get("/userinfo", fields: ["Authorization: Bearer \(try self.accessToken)"])
    }

    /// Core §3.1.3.6, for the algorithms with SHA-256.
    static func hash(_ token: String) -> String {
        Base64URL.encode(Digest.sha256.hash(Array(token.utf8)).prefix(16))
    }
}
