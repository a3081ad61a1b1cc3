import Base
import StrictJSON
import SwitchbackClient

/// A login as the phone's app shows it: what the library says of it, and beside that what the server last said.
struct PhoneLogin: Sendable {
    /// Whose phone it is on.
    let visitor: PhoneVisitor
    let provider: String
    /// The provider's name.
    let name: String
    /// For the assertion. A real app gets it from its API.
    let nonce: String
    let surface: String?
    let colors: String?
    /// Whether it names the key of a session.
    let hasKey: Bool
    /// What its form said, for another login of the same kind.
    let form: [Parameter]
    /// The library's last state. Nil before the first one.
    var state: LoginState?
    /// What came back from the server.
    var record = PhoneNetwork.Record()
    /// Whether the app is not running.
    var isKilled = false
    /// What the next link back opens.
    var linkTarget = LinkTarget.app
    /// What the user did to it last.
    var interruption: PhoneInterruption?

    init(_ options: VisitorPhone.Options, name: String, nonce: String) {
        self.visitor = options.visitor
        self.provider = options.provider
        self.name = name
        self.nonce = nonce
        self.surface = options.surface
        self.colors = options.colors
        self.hasKey = options.thumbprint != nil
        self.form = [
            ("app", options.app), ("platform", options.platform), ("eid_app", options.hasEIDApp ? "yes" : "no"),
            ("surface", options.surface), ("locale", options.locale), ("colors", options.colors),
            ("jkt", options.thumbprint),
        ].compactMap { name, value in value.map { Parameter(name, $0) } }
    }

    // MARK: - What the library says

    /// The status, or `failed` for a login that the library has given up.
    var status: String { self.error == nil ? self.state?.login?.status.code ?? "pending" : "failed" }
    var isFinal: Bool { self.state?.isFinal ?? false }
    /// Why the library has given the login up. Nil if it has not.
    var error: LoginError? { self.state?.error }
    /// Whether a new login may succeed after this one.
    var isRetryable: Bool { self.state?.login?.reason?.isRetryable ?? (self.error != nil) }
    /// Whether there was no usable response, and the library tries again.
    var isRetrying: Bool { self.state?.kind == .retrying }
    /// Whether the browser seems to be gone. The user then chooses how to continue.
    var isBack: Bool { self.state?.kind == .paused }
    /// How many more codes the user may try. Nil unless the last one was wrong.
    var triesLeft: Int? { self.state?.triesLeft }
    var next: PhoneNext { PhoneNext(self.state?.login) }
    /// Whether the link may be of this login.
    func mayTake(_ link: String) -> Bool {
        self.state?.login?.returnPrefixes.contains { link.hasPrefix($0) } ?? true
    }

    // MARK: - What the server said

    var id: String { self.record.answer["id"]?.string ?? "" }
    var reference: String { self.record.answer["reference"]?.string ?? "" }
    var answer: JSON.Object { self.record.answer }
    var problem: String? { self.record.problem }
    /// Whether the server has deleted it.
    var isAcknowledged: Bool { self.record.isDeleted }
    /// Whether a session may begin from it.
    var mayHaveSession: Bool { self.hasKey && self.status == "completed" && !self.isAcknowledged }

    /// What the tabs beside the phone tell of.
    var tabbed: TabbedLogin {
        TabbedLogin(
            id: self.id, reference: self.reference, provider: self.provider, providerName: self.name,
            status: self.status, assertion: self.answer["assertion"]?.string, nonce: self.nonce)
    }
}

/// What the library tells the app to do next, with what this phone opens for it.
enum PhoneNext: Equatable, Sendable {
    case openBrowser(String)
    case openApp(String)
    case resumeBrowser(String)
    /// The URL shows the page again.
    case showBrowser(String?)
    case enterCode(String?)
    case wait

    init(_ login: Login?) {
        let next = login?.next
        switch next?.kind {
        case .openBrowser?: self = next?.browser.map { .openBrowser($0.url) } ?? .wait
        case .resumeBrowser?: self = next?.browser.map { .resumeBrowser($0.url) } ?? .wait
        case .openApp?:
            let app = next?.app
            self = (app?.universalLink ?? app?.customScheme ?? app?.fallback).map { .openApp($0) } ?? .wait
        case .showBrowser?: self = .showBrowser(login?.page?.url)
        case .enterCode?: self = .enterCode(login?.page?.url)
        default: self = .wait
        }
    }
}
