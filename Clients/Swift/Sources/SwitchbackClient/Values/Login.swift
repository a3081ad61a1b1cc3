/// A login as the server last told it.
import Foundation

/// Members that this version does not know are left out, and those that are missing have a harmless value.
public struct Login: Hashable, Sendable {
    /// Its name at the server.
    public let id: String
    /// How far it has come.
    public let status: LoginStatus
    /// Raised by every change that an app can act on.
    public let version: Int
    /// Which app it belongs to.
    public let app: String
    /// Which e-ID was chosen.
    public let provider: String
    /// Eight letters that a person can read out to support. It is no secret.
    public let reference: String
    /// When it, or its result, is no longer there; by this device's own clock.
    public let expiresAt: Moment
    /// A link that opens the app and starts with one of these belongs to a login.
    public let returnPrefixes: [String]
    /// How to poll.
    public let poll: PollHints
    /// What to do now.
    public let next: NextAction
    /// Brings the page back if its browser is gone, while it has a button to press or a code to read. `openAgain` says it
    /// as `openBrowser`.
    public let page: BrowserOpening?
    /// Who it is, once completed.
    public let identity: Identity?
    /// For your own API: a signed JWT, good for five minutes.
    public let assertion: Secret?
    /// Which proof was seen that the result goes to the person's own device.
    public let proof: String?
    /// For a registration in two steps; hand it on unread.
    public let registration: Secret?
    /// Why it did not complete.
    public let reason: Reason?

    /// Whether nothing more will come. The status says it: an unknown one is pending, whatever else is there.
    public var isFinal: Bool { self.status.isFinal }

    /// Reads an answer; nil when it is none of Switchback's.
    init?(_ body: Data, at now: Moment) {
        guard let json = try? JSONDecoder().decode(JSONValue.self, from: body), let id = json["id"]?.string,
            Self.isID(id), let status = json["status"]?.string
        else { return nil }
        self.id = id
        self.status = LoginStatus(status)
        self.version = json["version"]?.integer ?? 0
        self.app = json["app"]?.string ?? ""
        self.provider = json["provider"]?.string ?? ""
        self.reference = json["reference"]?.string ?? ""
        self.expiresAt = now + Double(max(json["expires_in"]?.integer ?? 0, 0))
        // An empty one would take every link.
        self.returnPrefixes = (json["return_prefixes"]?.strings ?? []).filter { !$0.isEmpty }
        self.poll = PollHints(json["poll"])
        self.next = self.status.isFinal ? .wait : NextAction(json["next"])
        self.page = [.showBrowser, .enterCode].contains(self.next) ? json["next"].flatMap(BrowserOpening.init) : nil
        self.identity = self.status == .completed ? Identity(json["identity"]) : nil
        self.assertion = self.status == .completed ? json["assertion"]?.string.map(Secret.init) : nil
        self.proof = json["proof"]?.string
        self.registration = json["registration"]?.string.map(Secret.init)
        self.reason = Reason(json["reason"])
    }

    /// It becomes part of a path, so it may hold nothing that means something there.
    static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(\.isBase64URL)
    }
}

/// How the server wants to be polled.
///
/// Kept within bounds, whatever the server says: a slip there must not become a storm of requests, or silence.
public struct PollHints: Hashable, Sendable {
    /// The most seconds that a poll is held for.
    public let wait: Int
    /// The seconds between two polls that do not wait.
    public let interval: Int
    /// The seconds to let pass before the next poll.
    public let after: Double

    init(_ json: JSONValue?) {
        self.wait = min(max(json?["wait"]?.integer ?? 25, 0), 60)
        self.interval = min(max(json?["interval"]?.integer ?? 2, 1), 60)
        self.after = Double(min(max(json?["after_ms"]?.integer ?? 0, 0), 60_000)) / 1000
    }
}
