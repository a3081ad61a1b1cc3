import Foundation

/// What the server gives when a session begins or renews.
struct SessionTokens: Equatable, Sendable {
    /// Nil in a renewal that does not repeat it.
    let session: String?
    /// Nil when a session begins later than 15 minutes after its login. A renewal gives one.
    let accessToken: Secret?
    /// `DPoP`, or the token is not bound to the key.
    let isBound: Bool
    /// In seconds.
    let lifetime: Double
    /// Nil when the server allows no renewal.
    let refreshToken: Secret?
    /// Whether a PIN is set. Nil when the session can have none.
    let hasPIN: Bool?

    /// Reads the body of a response; nil when it is not from Switchback.
    init?(_ body: Data) {
        guard let json = try? JSONDecoder().decode(JSONValue.self, from: body),
            let type = json["token_type"]?.string
        else { return nil }
        let token = json["access_token"]?.string
        guard
            token.map({ !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } })
                ?? (json["access_token"] == nil && json["refresh_token"]?.string != nil)
        else { return nil }
        self.session = json["session_id"]?.string.flatMap { Login.isID($0) ? $0 : nil }
        self.accessToken = token.map(Secret.init)
        self.isBound = type.lowercased() == "dpop"
        self.lifetime = Double(min(max(json["expires_in"]?.integer ?? 0, 0), 3600))
        self.refreshToken = json["refresh_token"]?.string.map(Secret.init)
        self.hasPIN = json["pin"]?.bool
    }

    static func isJSON(_ body: Data) -> Bool { (try? JSONDecoder().decode(JSONValue.self, from: body)) != nil }
}
