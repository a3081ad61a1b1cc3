import Base
import HTTPWire
import StrictJSON

/// Records what one phone was told about its session. It must stay true, whatever happens to the servers and to the
/// responses.
///
/// The phone makes one PIN attempt at a time and repeats the same bytes until it gets a response. So the book knows how
/// many tries must be left, and not only a lower bound.
struct SoakPhoneBook {
    /// Seconds of `sessions.idle`.
    static let idle = 10
    /// The default of `sessions.pin_tries`.
    static let tries = 5

    /// The id that the session of this key must have.
    let session: String
    let thumbprint: String
    private(set) var refreshToken: String?
    private(set) var subject: String?
    private var wrongInRow = 0
    /// Since the PIN was set.
    private var wrongInAll = 0
    private(set) var complaints: [String] = []
    /// Between these two points the server last saw that the user was there.
    private var presence: (after: ContinuousClock.Instant, before: ContinuousClock.Instant)?

    var isLocked: Bool { self.wrongInRow >= Self.tries }
    /// Whether the next wrong PIN in a row locks the session out.
    var isLastTry: Bool { self.wrongInRow == Self.tries - 1 }
    /// A hundred wrong PINs in all lock it out too, which this book does not follow.
    var mayTryWrongPIN: Bool { self.wrongInAll < 90 }

    init(_ key: (session: String, thumbprint: String)) { (self.session, self.thumbprint) = key }

    mutating func takeComplaints() -> [String] {
        defer { self.complaints = [] }
        return self.complaints
    }

    mutating func complain(_ what: String) { self.complaints.append("\(self.session): \(what)") }

    // MARK: - Responses

    /// Records new tokens. `isPINSet` is what they must say of the PIN; nil if either is right.
    mutating func gotTokens(_ json: JSON, isPINSet: Bool?) {
        let session = json["session_id"]?.string ?? "none"
        if session != self.session { self.complain("another session: \(session)") }
        let token = json["refresh_token"]?.string
        if let known = self.refreshToken, token != known { self.complain("another refresh token") }
        self.refreshToken = self.refreshToken ?? token
        if let isPINSet, json["pin"]?.bool != isPINSet {
            self.complain("pin: \(json["pin"] ?? .null) instead of \(isPINSet)")
        }
        self.gotAccessToken(json["access_token"]?.string)
    }

    /// Records a renewal without a PIN that was sent at this time.
    mutating func renewed(sentAt sent: ContinuousClock.Instant) {
        if self.isLocked { self.complain("renewed while it was locked out") }
        if let presence, sent - presence.before > .seconds(Self.idle + 1) {
            self.complain("renewed without a PIN after the inactivity timeout")
        }
        self.wasPresent(since: sent)
    }

    /// Records that the server saw the user: by an e-ID login, a PIN, or a renewal in time.
    mutating func wasPresent(since sent: ContinuousClock.Instant) { self.presence = (sent, .now) }

    /// The PIN was asked for. The server may remember the last use of a session a tenth of the timeout too early.
    mutating func neededPIN() {
        guard let presence, ContinuousClock.now - presence.after < .seconds(Self.idle) * 0.9 else { return }
        self.complain("the PIN was asked for before the inactivity timeout")
    }

    /// A wrong PIN got this verdict; nil means that it locked the session out.
    mutating func triedWrongPIN(triesLeft: Int?) {
        let before = self.wrongInRow
        if self.isLocked {
            if let triesLeft { self.complain("\(triesLeft) tries came back after the lockout") }
            return
        }
        self.wrongInRow += 1
        self.wrongInAll += 1
        let left = Self.tries - self.wrongInRow
        if (triesLeft ?? 0) != left {
            self.complain("\(triesLeft.map { "\($0) tries left" } ?? "locked out") after \(before) + 1 wrong PINs")
            self.wrongInRow = Self.tries - (triesLeft ?? 0)
        }
    }

    /// A right PIN was accepted.
    mutating func unlocked(sentAt sent: ContinuousClock.Instant) {
        if self.isLocked { self.complain("unlocked after the lockout") }
        self.wrongInRow = 0
        self.wasPresent(since: sent)
    }

    /// A right PIN, or a renewal without one, was refused because the session is locked out.
    mutating func refusedForLockout() {
        if !self.isLocked { self.complain("locked out after \(self.wrongInRow) wrong PINs") }
    }

    /// A new PIN was set. Only an e-ID login allows it without the old one.
    mutating func setPIN(sentAt sent: ContinuousClock.Instant) {
        (self.wrongInRow, self.wrongInAll) = (0, 0)
        self.wasPresent(since: sent)
    }

    /// Checks the list of the user's sessions. `known` are those of all phones of this user.
    mutating func listed(_ json: JSON, atMost known: Set<String>) {
        let sessions = json["sessions"]?.array ?? []
        let ids = sessions.compactMap { $0["id"]?.string }
        if Set(ids).count != ids.count { self.complain("a session is in the list twice") }
        if !Set(ids).isSubset(of: known) { self.complain("a session of no phone is in the list") }
        let current = sessions.filter { $0["current"]?.bool == true }.compactMap { $0["id"]?.string }
        if current != [self.session] { self.complain("its own sessions in the list: \(current)") }
    }

    /// Checks what an access token says, without its signature.
    private mutating func gotAccessToken(_ token: String?) {
        let part = token?.split(separator: ".").dropFirst().first
        guard let claims = part.flatMap({ Base64URL.decode($0) }).flatMap({ try? JSON(parsing: $0) }) else {
            return self.complain("no access token")
        }
        if claims["sid"]?.string != self.session { self.complain("sid: \(claims["sid"] ?? .null)") }
        if claims["cnf"]?["jkt"]?.string != self.thumbprint { self.complain("the token of another key") }
        let subject = claims["sub"]?.string
        if subject == nil || subject != self.subject ?? subject { self.complain("another user's token") }
        self.subject = self.subject ?? subject
    }
}
