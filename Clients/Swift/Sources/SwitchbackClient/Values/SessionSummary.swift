import Foundation

/// One of a user's sessions, as the server lists them. It has no name and no identifier of the user.
public struct SessionSummary: Hashable, Identifiable, Sendable {
    /// Its id, for `SessionClient.end`.
    public let id: String
    /// `ios` or `android`, as the app said in its login.
    public let platform: String?
    /// The provider of its login.
    public let provider: String?
    /// When it began (RFC 3339, UTC).
    public let createdAt: String?
    /// When it was last used, roughly.
    public let usedAt: String?
    /// When it ends.
    public let endsAt: String?
    /// Whether it has a PIN.
    public let hasPIN: Bool
    /// Whether it is the session that asks.
    public let isCurrent: Bool

    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string ?? json["session_id"]?.string, Login.isID(id) else { return nil }
        self.id = id
        self.platform = json["platform"]?.string
        self.provider = json["provider"]?.string
        self.createdAt = json["created_at"]?.string
        self.usedAt = json["used_at"]?.string
        self.endsAt = json["ends_at"]?.string
        self.hasPIN = json["pin"]?.bool ?? false
        self.isCurrent = json["current"]?.bool ?? false
    }

    /// Reads the body of a response; nil when it is not from Switchback.
    static func list(_ body: Data) -> [SessionSummary]? {
        guard let json = try? JSONDecoder().decode(JSONValue.self, from: body), let list = json["sessions"]?.array
        else { return nil }
        return list.compactMap(SessionSummary.init)
    }
}
