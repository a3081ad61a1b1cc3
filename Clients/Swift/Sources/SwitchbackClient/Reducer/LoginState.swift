/// A state of a login, as the app gets it. `failed` is the last state; `finished` is repeated until `acknowledge()`.
public enum LoginState: Hashable, Sendable {
    /// The server has not answered yet.
    case starting
    /// The login is running. Each `action` is reported once: perform it now. Nil means that there is nothing new to do.
    case inProgress(Login, action: NextAction?)
    /// The user seems to have left the browser, and no response has come from it. Offer to continue (`openAgain`) and
    /// to cancel (`cancel`). The login has not ended: the user may still finish in a browser that is open.
    case paused(Login)
    /// The code was wrong. Ask for it again while tries are left.
    case wrongCode(triesLeft: Int, Login)
    /// The server gives no usable response, and the library retries. Show that, and offer to leave (`abandon`).
    case retrying(TransientError, Login?)
    /// The login is final. Store what you need of it, then call `acknowledge()`. Until then this state is repeated:
    /// after 15, 30 and then every 60 seconds, when the app enters the foreground, and on `refresh()`, each time with a
    /// newly signed assertion. So handle it such that it may arrive twice.
    case finished(Login)
    /// The login is lost or was refused. No other state follows.
    case failed(LoginError)

    /// Whether this is a final state. Only the same state, or `failed` if the result is lost, may follow.
    public var isFinal: Bool {
        switch self {
        case .finished, .failed: true
        case .starting, .inProgress, .paused, .wrongCode, .retrying: false
        }
    }

    /// The login as last reported; nil if there is none yet.
    public var login: Login? {
        switch self {
        case .inProgress(let login, _), .paused(let login), .wrongCode(_, let login), .finished(let login): login
        case .retrying(_, let login): login
        case .starting, .failed: nil
        }
    }
}

/// Why a login got no result, as far as this app can tell.
public enum LoginError: Error, Hashable, Sendable {
    /// The store failed, so nothing was sent. Offer the login button again.
    case notStored
    /// The server does not know the login: it is too old, or the server has lost it. Offer the login button again.
    case unknownLogin
    /// The result was deleted, by a request or because its time was over. Offer the login button again.
    case gone
    /// The server refuses the request, and always will. Correct the app, or the server's configuration.
    case refused(Problem)
    /// The app called `abandon`.
    case abandoned
}

extension LoginError: CustomStringConvertible {
    /// What happened and what to do, for logs.
    public var description: String {
        switch self {
        case .notStored: "The device could not store the login, so nothing was sent. Offer the login button again."
        case .unknownLogin: "The server does not know the login. Offer the login button again."
        case .gone: "The server has deleted the login's result. Offer the login button again."
        case .refused(let problem): "The server refused the login (\(problem.code)): \(problem.detail)"
        case .abandoned: "The app abandoned the login."
        }
    }
}
