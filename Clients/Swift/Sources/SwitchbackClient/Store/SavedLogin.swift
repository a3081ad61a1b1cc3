import Foundation

/// A login as it is stored: all that is needed to resume it after the app was killed.
///
/// It contains the poll secret, which gives access to the login's result. Store it where only this app can read it.
public struct SavedLogin: Codable, Equatable, Identifiable, Sendable {
    /// Its id in the store. It means nothing elsewhere.
    public let id: UUID
    /// What the app requested. A repeated create must have the same body, or the server refuses it.
    public let request: NewLogin
    /// When the login started, by the wall clock. Use it only to tell today's logins from last week's.
    public let startedAt: Date
    /// The login's id at the server, once the server has responded.
    public internal(set) var login: String?
    /// The login's reference, which the user can read out to support, once the server has responded.
    public internal(set) var reference: String?
    /// The return prefixes: links that start with one of these belong to the login.
    public internal(set) var returnPrefixes: [String] = []
    /// Whether the app has the result safe, so that the server may delete it.
    public internal(set) var isAcknowledged = false
    /// Whether the user has given up, and the server has not heard it yet.
    var isCancelling = false
    /// The URLs that browsers and apps were opened with, so that nothing is opened twice.
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

    /// Returns whether the server never responded, and the login is more than ten minutes old. No browser was ever
    /// opened for it.
    public func isStale(asOf today: Date) -> Bool {
        self.login == nil && abs(today.timeIntervalSince(self.startedAt)) > Self.staleAfter
    }

    /// In seconds, and about as long as a login lasts. After ten minutes the user no longer expects a browser.
    static let staleAfter: Double = 600

    /// Returns whether a link starts with one of the login's prefixes (rule 3). It compares bytes and normalizes
    /// nothing.
    public func accepts(_ link: String) -> Bool {
        self.returnPrefixes.contains { link.utf8.starts(with: $0.utf8) }
    }
}

extension SavedLogin {
    private enum CodingKeys: String, CodingKey {
        case id, request, secret, replaces, login, reference, opened, links
        case startedAt = "started_at"
        case returnPrefixes = "return_prefixes"
        case isAcknowledged = "is_acknowledged"
        case isCancelling = "is_cancelling"
    }

    /// Reads what `encode` wrote. Throws for values that cannot be used, and the error contains none of them.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        guard let secret = PollSecret(try values.decode(String.self, forKey: .secret)) else {
            throw DecodingError.dataCorruptedError(forKey: .secret, in: values, debugDescription: "not a poll secret")
        }
        self.secret = secret
        self.id = try values.decode(UUID.self, forKey: .id)
        var request = try values.decode(NewLogin.self, forKey: .request)
        request.replaces = try values.decodeIfPresent(String.self, forKey: .replaces).flatMap { PollSecret($0) }
        self.request = request
        // A store may have written the date by its encoder's strategy before this was a number.
        let seconds = try? values.decode(Double.self, forKey: .startedAt)
        self.startedAt =
            try seconds.map(Date.init(timeIntervalSinceReferenceDate:)) ?? values.decode(Date.self, forKey: .startedAt)
        self.login = try values.decodeIfPresent(String.self, forKey: .login).flatMap { Login.isID($0) ? $0 : nil }
        self.reference = try values.decodeIfPresent(String.self, forKey: .reference)
        self.returnPrefixes = try values.decodeIfPresent([String].self, forKey: .returnPrefixes) ?? []
        self.isAcknowledged = try values.decodeIfPresent(Bool.self, forKey: .isAcknowledged) ?? false
        self.isCancelling = try values.decodeIfPresent(Bool.self, forKey: .isCancelling) ?? false
        self.opened = try values.decodeIfPresent([String].self, forKey: .opened) ?? []
        self.links = try values.decodeIfPresent([String].self, forKey: .links) ?? []
    }

    /// Writes the login for the store. No other code writes the poll secrets.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(self.secret.exposed, forKey: .secret)
        try values.encode(self.id, forKey: .id)
        try values.encode(self.request, forKey: .request)
        try values.encodeIfPresent(self.request.replaces?.exposed, forKey: .replaces)
        // A number has all its digits, whatever the encoder does with dates: logins are sorted by it.
        try values.encode(self.startedAt.timeIntervalSinceReferenceDate, forKey: .startedAt)
        try values.encodeIfPresent(self.login, forKey: .login)
        try values.encodeIfPresent(self.reference, forKey: .reference)
        try values.encode(self.returnPrefixes, forKey: .returnPrefixes)
        try values.encode(self.isAcknowledged, forKey: .isAcknowledged)
        try values.encode(self.isCancelling, forKey: .isCancelling)
        try values.encode(self.opened, forKey: .opened)
        try values.encode(self.links, forKey: .links)
    }
}
