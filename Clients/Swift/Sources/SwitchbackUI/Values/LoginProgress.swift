import SwitchbackClient

/// What a window shows of its login. Decide by `kind`.
public struct LoginProgress: Equatable, Sendable {
    /// What to show. Treat one that you do not know as `waiting`.
    public struct Kind: Coded {
        /// Such as `in_browser`.
        public let code: String

        /// This window has no login. Show the login button.
        public static let idle = Kind(code: "idle")
        /// The server has not answered yet.
        public static let starting = Kind(code: "starting")
        /// A browser is on top of the app.
        public static let inBrowser = Kind(code: "in_browser")
        /// The e-ID's app is open.
        public static let inApp = Kind(code: "in_app")
        /// The e-ID's app did not open: it may not be installed. Offer to go on without it (`canContinue`), and to
        /// give up.
        public static let appMissing = Kind(code: "app_missing")
        /// The login goes on by itself.
        public static let waiting = Kind(code: "waiting")
        /// The user seems to have left the browser. Offer to continue (`canContinue`) and to give up.
        public static let paused = Kind(code: "paused")
        /// Ask for the six digits of the page (`triesLeft`), and offer to show the page again.
        public static let codeWanted = Kind(code: "code_wanted")
        /// The server gives no usable response (`transientError`), and the library retries. Offer to leave.
        public static let retrying = Kind(code: "retrying")
        /// The login is over: with a result (`login`) or without (`failure`).
        public static let over = Kind(code: "over")
    }

    /// The progress without its details.
    public let kind: Kind
    /// What the user can read out to support. Nil before the server's first response.
    public var reference: String?
    /// Whether `continueLogin` does something.
    public var canContinue = false
    /// How many codes the user may still try. Nil if none was wrong.
    public var triesLeft: Int?
    /// Why the library retries; nil if it does not.
    public var transientError: TransientError?
    /// The result; nil unless the login has completed.
    public var login: CompletedLogin?
    /// Why there is no result; nil unless the login is over without one.
    public var failure: LoginFailure?

    /// Creates a progress for a preview, and for tests of an app's screens. Set everything else afterwards.
    public init(_ kind: Kind, reference: String? = nil) { (self.kind, self.reference) = (kind, reference) }

    /// This window has no login.
    public static let idle = LoginProgress(.idle)
}

extension LoginProgress {
    /// Reads a state of the login, but no final one. `hasBrowser` says whether a browser is on top of the app.
    init(_ state: LoginState, hasBrowser: Bool, triesLeft: Int? = nil) {
        let login = state.login
        switch state.kind {
        case .starting: self.init(.starting)
        case .paused:
            self.init(.paused)
            self.canContinue = login.map { $0.next.kind != .wait } ?? false
        case .wrongCode:
            self.init(.codeWanted)
            self.triesLeft = state.triesLeft
            self.canContinue = true
        case .retrying:
            self.init(.retrying)
            self.transientError = state.transientError
        default:
            self.init(login.map { Self.kind($0.next.kind, hasBrowser: hasBrowser) } ?? .waiting)
            if self.kind == .codeWanted { (self.triesLeft, self.canContinue) = (triesLeft, true) }
        }
        self.reference = login?.reference
    }

    private static func kind(_ next: NextAction.Kind, hasBrowser: Bool) -> Kind {
        switch next {
        case .openApp: .inApp
        case .enterCode: .codeWanted
        case .showBrowser where !hasBrowser: .codeWanted
        default: hasBrowser ? .inBrowser : .waiting
        }
    }
}
