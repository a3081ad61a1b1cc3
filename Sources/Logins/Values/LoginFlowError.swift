/// What we say no to, and why: a closed list, said to the caller as it is.
package enum LoginFlowError: Error, Equatable, Sendable {
    case unknownProvider
    case unknownApp
    /// The provider does not let an app set this authorize parameter.
    case parameterNotAllowed(String)
    /// The e-ID's app is opened in another way on each platform, and the app did not say on which it is.
    case platformMissing
    /// The same of a web page, which did not say on which system its browser runs.
    case systemMissing
    /// The provider does not work there. Which member of the request says where: `platform` or `os`.
    case platformNotSupported(String)
    /// The same poll secret came with another body.
    case differentBody
    /// No login has this id, or it belongs to another secret.
    case unknownLogin
    /// The result was acknowledged, or kept for as long as was promised.
    case gone
    /// Only a final login can be acknowledged.
    case notFinal
    /// The link does not belong to this login.
    case notOurs
    /// Not the code that the page shows.
    case wrongCode(triesLeft: Int)
    case tooManyPending
    /// The caller's budget is used up until then.
    case overBudget(retryAfter: Duration)
    /// No login was kept.
    case brokerUnreachable
    /// We have nothing left to ask the broker with. No login was kept.
    case overloaded
    case storeUnavailable
}

extension LoginFlowError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownProvider: "the app has no such provider: see its providers in the configuration"
        case .unknownApp: "no such app is configured"
        case .parameterNotAllowed(let name): "the provider does not let an app set \(name): see its parameters"
        case .platformMissing: "the provider needs to know the platform: name it in the request"
        case .systemMissing: "the provider needs to know the system of the web page: name it in the request"
        case .platformNotSupported(let member): "the provider does not work on that \(member): offer another one"
        case .differentBody: "the secret belongs to another request: make a new secret for a new login"
        case .unknownLogin: "no login has this id and secret: create one"
        case .gone: "the result was acknowledged or its time is over: create a new login"
        case .notFinal: "the login goes on: acknowledge it when it is final"
        case .notOurs: "the link belongs to something else: handle it elsewhere"
        case .wrongCode(let triesLeft): "the code is wrong, and \(triesLeft) tries are left: ask for it again"
        case .tooManyPending: "too many logins are pending: try again later"
        case .overBudget(let retryAfter): "the caller's budget is used up: try again after \(retryAfter)"
        case .brokerUnreachable: "the broker does not answer: try again"
        case .overloaded: "no file descriptor is left: raise the limit of the process, or try again"
        case .storeUnavailable: "the store does not answer: try again"
        }
    }
}
