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
