import Foundation

/// The login resource of the API: a login as the server last reported it.
///
/// Members that this version does not know are ignored. Missing members have a harmless value.
public struct Login: Hashable, Sendable {
    /// Its id at the server.
    public let id: String
    /// How far the login has come.
    public let status: LoginStatus
    /// A number that rises with every change that an app can act on.
    public let version: Int
    /// The app that the login belongs to.
    public let app: String
    /// The provider that was chosen.
    public let provider: String
    /// Eight letters and digits that the user can read out to support. They are not secret.
    public let reference: String
    /// When the login, or its result, expires, by this device's own clock.
    public let expiresAt: MonotonicInstant
    /// The return prefixes: a link that opens the app and starts with one of these belongs to a login.
    public let returnPrefixes: [String]
    /// How to poll.
    public let poll: PollHints
    /// What to do now.
    public let next: NextAction
    /// Shows the page again if its browser is gone, while the page has a button to press or a code to read.
    /// `openAgain()` reports it as `openBrowser`.
    public let page: BrowserLaunch?
    /// Who logged in; nil unless the login has completed.
    public let identity: Identity?
    /// A signed JWT for your own API, valid for five minutes; nil unless the login has completed.
    public let assertion: Secret?
    /// Which same-device proof the server accepted.
    public let proof: String?
    /// What the app continues with after a registration in two steps (DigiD); nil unless the login has completed.
    public let registration: Registration?
    /// Why the login did not complete.
    public let reason: Reason?
    /// What the broker reports about the e-ID's app, if it does. Nil when the login is final.
    public let hint: LoginHint?

    /// Whether `next` is `wait` only because nothing in it can be opened.
    let isNextUnreadable: Bool

    /// Whether the login is final: `status` then never changes any more. The server's word decides (`final`), and
    /// not the name of the status.
    public var isFinal: Bool { self.status.isFinal }

    /// The value of `If-None-Match` that names this state. It comes from the body, because a proxy that compresses may
    /// change the `ETag`. Nil if the server named no version.
    var validator: String? { self.version > 0 ? "W/\"\(self.version)\"" : nil }

    /// Reads the body of a response; nil when it is not from Switchback.
    init?(_ body: Data, at now: MonotonicInstant) {
        guard let json = try? JSONDecoder().decode(JSONValue.self, from: body), let id = json["id"]?.string,
            Self.isID(id), let status = json["status"]?.string
        else { return nil }
        self.id = id
        self.status = LoginStatus(status, isFinal: json["final"]?.bool)
        self.version = json["version"]?.integer ?? 0
        self.app = json["app"]?.string ?? ""
        self.provider = json["provider"]?.string ?? ""
        self.reference = json["reference"]?.string ?? ""
        self.expiresAt = now + Double(max(json["expires_in"]?.integer ?? 0, 0))
        // An empty prefix would match every link.
        self.returnPrefixes = (json["return_prefixes"]?.strings ?? []).filter { !$0.isEmpty }
        self.poll = PollHints(json["poll"])
        self.next = self.status.isFinal ? .wait : NextAction(json["next"])
        let action = json["next"]?["action"]?.string.map(NextAction.Kind.init)
        self.isNextUnreadable =
            self.next == .wait && !self.status.isFinal && [.openBrowser, .resumeBrowser, .openApp].contains(action)
        self.page = [.showBrowser, .enterCode].contains(self.next) ? json["next"].flatMap(BrowserLaunch.init) : nil
        self.identity = self.status == .completed ? Identity(json["identity"]) : nil
        self.assertion = self.status == .completed ? json["assertion"]?.string.map(Secret.init) : nil
        self.proof = json["proof"]?.string
        self.registration = self.status == .completed ? Registration(json["registration"]) : nil
        self.reason = Reason(json["reason"])
        self.hint = self.status.isFinal ? nil : json["hint"]?.string.map(LoginHint.init)
    }

    /// Returns whether a text is safe as part of a path: 1 to 64 characters of base64url.
    static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(\.isBase64URL)
    }
}

/// How the server wants to be polled.
///
/// The values are kept within bounds, so that a mistake at the server causes neither a storm of requests nor silence.
public struct PollHints: Hashable, Sendable {
    /// The longest time, in seconds, that the server holds a long poll.
    public let wait: Int
    /// The seconds between two polls that do not wait.
    public let interval: Int
    /// The seconds to wait before the next poll.
    public let after: Double

    init(_ json: JSONValue?) {
        self.wait = min(max(json?["wait"]?.integer ?? 25, 0), 60)
        self.interval = min(max(json?["interval"]?.integer ?? 2, 1), 60)
        self.after = Double(min(max(json?["after_ms"]?.integer ?? 0, 0), 60_000)) / 1000
    }
}
