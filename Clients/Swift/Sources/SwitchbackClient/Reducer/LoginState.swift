/// A state of a login, as the app gets it. Decide by `kind`.
///
/// `failed` is the last state; `finished` is repeated until `acknowledge()`.
public struct LoginState: Hashable, Sendable {
    /// What the app has to show. Treat one that you do not know as `inProgress` without an action.
    public struct Kind: Coded {
        /// Such as `in_progress`.
        public let code: String

        /// The server has not answered yet.
        public static let starting = Kind(code: "starting")
        /// The login is running. Each `action` is reported once: perform it now. Nil means that there is nothing new to
        /// do.
        public static let inProgress = Kind(code: "in_progress")
        /// The user seems to have left the browser, and no response has come from it. Offer to continue (`openAgain`)
        /// and to cancel (`cancel`). The login has not ended: the user may still finish in a browser that is open.
        public static let paused = Kind(code: "paused")
        /// The code was wrong. Ask for it again while tries are left (`triesLeft`).
        public static let wrongCode = Kind(code: "wrong_code")
        /// The server gives no usable response (`transientError`), and the library retries. Show that, and offer to
        /// leave (`abandon`).
        public static let retrying = Kind(code: "retrying")
        /// The login is final. Store what you need of it, then call `acknowledge()`. Until then this state is repeated:
        /// after 15, 30 and then every 60 seconds, when the app enters the foreground, and on `refresh()`, each time
        /// with a newly signed assertion. So handle it such that it may arrive twice.
        public static let finished = Kind(code: "finished")
        /// The login is lost or was refused (`error`). No other state follows.
        public static let failed = Kind(code: "failed")
    }

    /// The same, for code that must know every state.
    enum Value: Hashable, Sendable {
        case starting
        case inProgress(Login, action: NextAction?)
        case paused(Login)
        case wrongCode(triesLeft: Int, Login)
        case retrying(TransientError, Login?)
        case finished(Login)
        case failed(LoginError)
    }

    let value: Value

    private init(_ value: Value) { self.value = value }

    /// The state without its details.
    public var kind: Kind {
        switch self.value {
        case .starting: .starting
        case .inProgress: .inProgress
        case .paused: .paused
        case .wrongCode: .wrongCode
        case .retrying: .retrying
        case .finished: .finished
        case .failed: .failed
        }
    }

    /// The login as last reported; nil if there is none yet.
    public var login: Login? {
        switch self.value {
        case .inProgress(let login, _), .paused(let login), .wrongCode(_, let login), .finished(let login): login
        case .retrying(_, let login): login
        case .starting, .failed: nil
        }
    }

    /// The login's reference, which the user can read out to support; nil before the server has responded.
    public var reference: String? { self.login?.reference ?? self.error?.reference }

    /// What the app has to do now, once; nil when there is nothing new.
    public var action: NextAction? {
        if case .inProgress(_, let action) = self.value { action } else { nil }
    }

    /// How many codes the user may still try; nil in every other state than `wrongCode`.
    public var triesLeft: Int? {
        if case .wrongCode(let triesLeft, _) = self.value { triesLeft } else { nil }
    }

    /// Why the library retries; nil in every other state than `retrying`.
    public var transientError: TransientError? {
        if case .retrying(let error, _) = self.value { error } else { nil }
    }

    /// Why the login is lost; nil in every other state than `failed`.
    public var error: LoginError? {
        if case .failed(let error) = self.value { error } else { nil }
    }

    /// Whether this is a final state. Only the same state, or `failed` if the result is lost, may follow.
    public var isFinal: Bool {
        switch self.value {
        case .finished, .failed: true
        case .starting, .inProgress, .paused, .wrongCode, .retrying: false
        }
    }
}

extension LoginState {
    /// The server has not answered yet.
    public static let starting = LoginState(.starting)

    /// Returns the state of a login that is running.
    public static func inProgress(_ login: Login, action: NextAction?) -> LoginState {
        LoginState(.inProgress(login, action: action))
    }

    /// Returns the state of a login whose user seems to have left the browser.
    public static func paused(_ login: Login) -> LoginState { LoginState(.paused(login)) }

    /// Returns the state after a wrong code.
    public static func wrongCode(triesLeft: Int, _ login: Login) -> LoginState {
        LoginState(.wrongCode(triesLeft: triesLeft, login))
    }

    /// Returns the state of a login whose server gives no usable response.
    public static func retrying(_ error: TransientError, _ login: Login?) -> LoginState {
        LoginState(.retrying(error, login))
    }

    /// Returns the state of a login that is final.
    public static func finished(_ login: Login) -> LoginState { LoginState(.finished(login)) }

    /// Returns the state of a login that is lost or was refused.
    public static func failed(_ error: LoginError) -> LoginState { LoginState(.failed(error)) }
}
