/// What an app is told of a login, one after another. `failed` is the last; `ended` is told again until `resultIsSafe`.
public enum LoginState: Hashable, Sendable {
    /// The server has not answered yet.
    case starting
    /// It goes on. `todo` is said once for each thing to do: do it now. Nil: nothing new to do.
    case underWay(Login, todo: NextAction?)
    /// The person seems to have left the browser, and nothing has come back from it. Offer to continue (`openAgain`) and to
    /// give up (`cancel`). Nothing has ended: what the person does in a browser that is still there counts.
    case paused(Login)
    /// The code was wrong; ask again, while there are tries.
    case wrongCode(triesLeft: Int, Login)
    /// Nobody answers, and it is asked again and again. Say so, and offer to give up.
    case troubled(Trouble, Login?)
    /// Here is the outcome. Store what you need of it, then call `resultIsSafe`. Until then it is told again: after 15, 30 and
    /// 60 seconds and so on, on coming back to the foreground, and when you ask (`refresh`), each time with an assertion
    /// that is signed anew. So take it as something that may come twice.
    case ended(Login)
    /// Nothing more will come.
    case failed(LoginError)

    /// Whether the login is over. Only the same end may follow.
    public var isEnd: Bool {
        switch self {
        case .ended, .failed: true
        case .starting, .underWay, .paused, .wrongCode, .troubled: false
        }
    }

    /// The same without what is to be done, which is done only once.
    var withoutTodo: LoginState {
        if case .underWay(let login, _) = self { return .underWay(login, todo: nil) }
        return self
    }

    /// The login, as far as it is known.
    public var login: Login? {
        switch self {
        case .underWay(let login, _), .paused(let login), .wrongCode(_, let login), .ended(let login): login
        case .troubled(_, let login): login
        case .starting, .failed: nil
        }
    }
}

/// Why there is no answer yet. It is being asked again; nothing is lost.
public enum Trouble: Hashable, Sendable {
    /// No connection, or none in time.
    case noAnswer
    /// Too often, or too many at once.
    case tooMany
    /// The server has a problem, or the broker cannot be reached.
    case unavailable
    /// The answer is none of Switchback's: a hotel's page, a proxy's.
    case notUnderstood(status: Int)
}

/// Why nothing more comes of a login, as far as this app can tell.
public enum LoginError: Error, Hashable, Sendable {
    /// The store did not take it, so nothing was sent. Offer the button again.
    case notStored
    /// The server does not know it: it was made long ago, or the server has lost it. Offer the button again.
    case unknownLogin
    /// Its result was deleted, or kept for as long as was promised. Offer the button again.
    case gone
    /// The server refuses what the app asks for, and always will. Mend the app, or the server's configuration.
    case refused(Problem)
    /// The app called `giveUp`.
    case givenUp
}

extension LoginError: CustomStringConvertible {
    /// What happened and what to do, for a log.
    public var description: String {
        switch self {
        case .notStored: "The login could not be stored on this device, so nothing was sent. Offer the button again."
        case .unknownLogin: "The server does not know the login. Offer the button again."
        case .gone: "The server has deleted the login's result. Offer the button again."
        case .refused(let problem): "The server refuses the login (\(problem.code)): \(problem.detail)"
        case .givenUp: "The app gave the login up."
        }
    }
}
