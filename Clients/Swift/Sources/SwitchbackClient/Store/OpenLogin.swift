/// A login that is under way, as it is stored: all that is needed to go on after the app was killed.
import Foundation

/// It holds the poll secret, which is as good as the login's result. Store it where only this app can read it.
public struct OpenLogin: Codable, Equatable, Identifiable, Sendable {
    /// Its name in the store; it means nothing elsewhere.
    public let id: UUID
    /// What was asked for. A create that is sent again has the same body, or the server refuses it.
    public let request: NewLogin
    /// By the clock on the wall; good for no more than telling today's logins from last week's.
    public let startedAt: Date
    /// The login's name at the server, once it has answered.
    public internal(set) var login: String?
    /// The links that belong to it.
    public internal(set) var returnPrefixes: [String] = []
    /// The app has the result safe; the server may wipe it.
    public internal(set) var isAcknowledged = false
    /// What browsers and apps were opened with, so that nothing is opened twice.
    var opened: [String] = []
    /// The links that opened the app and are not handed in yet.
    var links: [String] = []
    let secret: PollSecret

    init(_ request: NewLogin, secret: PollSecret, id: UUID = UUID(), startedAt: Date) {
        self.id = id
        self.request = request
        self.secret = secret
        self.startedAt = startedAt
    }

    /// Whether the server never answered, and so long ago that nobody waits any more. No browser was ever opened for it.
    public func neverBegan(asOf today: Date) -> Bool {
        self.login == nil && abs(today.timeIntervalSince(self.startedAt)) > Self.patience
    }

    /// As long as a login usually lasts: whoever pressed the button ten minutes ago does not expect a browser now.
    static let patience: Double = 600

    /// Whether a link starts with one of the login's prefixes (rule 3). Byte by byte: no two ways to write the same.
    public func takes(_ link: String) -> Bool {
        self.returnPrefixes.contains { link.utf8.starts(with: $0.utf8) }
    }
}

extension OpenLogin {
    private enum CodingKeys: String, CodingKey {
        case id, request, secret, login, opened, links
        case startedAt = "started_at"
        case returnPrefixes = "return_prefixes"
        case isAcknowledged = "is_acknowledged"
    }

    /// Reads what `encode` wrote. What cannot be used is an error, and none of it is in the error.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        guard let secret = PollSecret(try values.decode(String.self, forKey: .secret)) else {
            throw DecodingError.dataCorruptedError(forKey: .secret, in: values, debugDescription: "no poll secret")
        }
        self.secret = secret
        self.id = try values.decode(UUID.self, forKey: .id)
        self.request = try values.decode(NewLogin.self, forKey: .request)
        self.startedAt = try values.decode(Date.self, forKey: .startedAt)
        self.login = try values.decodeIfPresent(String.self, forKey: .login).flatMap { Login.isID($0) ? $0 : nil }
        self.returnPrefixes = try values.decodeIfPresent([String].self, forKey: .returnPrefixes) ?? []
        self.isAcknowledged = try values.decodeIfPresent(Bool.self, forKey: .isAcknowledged) ?? false
        self.opened = try values.decodeIfPresent([String].self, forKey: .opened) ?? []
        self.links = try values.decodeIfPresent([String].self, forKey: .links) ?? []
    }

    /// The one place where the poll secret is written for the store.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(self.secret.exposed, forKey: .secret)
        try values.encode(self.id, forKey: .id)
        try values.encode(self.request, forKey: .request)
        try values.encode(self.startedAt, forKey: .startedAt)
        try values.encodeIfPresent(self.login, forKey: .login)
        try values.encode(self.returnPrefixes, forKey: .returnPrefixes)
        try values.encode(self.isAcknowledged, forKey: .isAcknowledged)
        try values.encode(self.opened, forKey: .opened)
        try values.encode(self.links, forKey: .links)
    }
}
