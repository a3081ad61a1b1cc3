import Base
import StrictJSON

/// A login as the phone's app remembers it: its secret, and what the server last said about it.
struct PhoneLogin: Sendable {
    /// Whose phone it is on.
    let visitor: PhoneVisitor
    let provider: String
    /// The provider's name.
    let name: String
    let secret: String
    /// For the assertion. A real app gets it from its API.
    let nonce: String
    let surface: String?
    let colors: String?
    /// Whether it names the key of a session.
    let hasKey: Bool
    private(set) var answer: JSON.Object
    /// The `ETag` of what it said.
    private(set) var version: String?
    /// The problem code of the last response, if that was not about the login (RFC 9457).
    private(set) var problem: String?
    /// Whether the last request got no response.
    private(set) var isUnanswered = false
    /// Whether the phone has reported the browser as closed, without a response. The user then chooses how to continue.
    var isBack = false
    /// Whether the app is not running.
    var isKilled = false
    /// What the next link back opens.
    var linkTarget = LinkTarget.app
    /// What the user did to it last.
    var interruption: PhoneInterruption?
    /// Whether the server has deleted it.
    var isAcknowledged = false

    /// Returns nil for a response that creates no login.
    init?(
        _ options: PhoneApp.Options, name: String, secret: String, nonce: String, created answer: PhoneRequest.Answer
    ) {
        guard let state = (try? JSON(parsing: answer.body))?.object, state["id"]?.string != nil else { return nil }
        self.visitor = options.visitor
        self.provider = options.provider
        self.name = name
        self.secret = secret
        self.nonce = nonce
        self.surface = options.surface
        self.colors = options.colors
        self.hasKey = options.thumbprint != nil
        self.answer = state
        self.version = answer.version
    }

    var id: String { self.answer["id"]?.string ?? "" }
    var path: String { "/v1/logins/\(self.id)" }
    var reference: String { self.answer["reference"]?.string ?? "" }
    var status: String { self.answer["status"]?.string ?? "pending" }
    /// Whether a session may begin from it.
    var mayHaveSession: Bool { self.hasKey && self.status == "completed" && !self.isAcknowledged }
    var isFinal: Bool { self.answer["final"]?.bool ?? false }
    /// What the tabs beside the phone tell of.
    var tabbed: TabbedLogin {
        TabbedLogin(
            id: self.id, reference: self.reference, provider: self.provider, providerName: self.name,
            assertion: self.answer["assertion"]?.string, nonce: self.nonce)
    }
    /// Rule 2: an unknown action is `wait`.
    var next: PhoneNext { PhoneNext(self.answer["next"]?.object) }

    /// Takes a response. The previous state stays if the response contains no new one.
    mutating func update(_ answer: PhoneRequest.Answer) {
        self.isUnanswered = answer.status == 0
        guard answer.status != 304, !self.isUnanswered else { return }
        let members = (try? JSON(parsing: answer.body))?.object
        guard answer.status == 200, let members, members["id"]?.string == self.answer["id"]?.string else {
            self.problem = members?["code"]?.string ?? "status \(answer.status)"
            return
        }
        self.answer = members
        self.version = answer.version
        self.problem = nil
    }
}

extension PhoneRequest.Answer {
    fileprivate var version: String? { self.fields.first { $0.name.lowercased() == "etag" }?.value }
}

/// What the server tells the app to do next.
enum PhoneNext: Equatable, Sendable {
    case openBrowser(String)
    case openApp(String)
    case resumeBrowser(String)
    /// The URL shows the page again.
    case showBrowser(String?)
    case enterCode(String?)
    case wait

    init(_ next: JSON.Object?) {
        let url = (next?["url"] ?? next?["universal_link"])?.string
        switch (next?["action"]?.string, url) {
        case ("open_browser", let url?): self = .openBrowser(url)
        case ("open_app", let url?): self = .openApp(url)
        case ("resume_browser", let url?): self = .resumeBrowser(url)
        case ("show_browser", let url): self = .showBrowser(url)
        case ("enter_code", let url): self = .enterCode(url)
        default: self = .wait
        }
    }
}
