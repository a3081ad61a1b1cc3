/// Why a request is refused. The list is closed, and the caller gets the reason as it is.
package enum LoginFlowError: Error, Equatable, Sendable {
    case unknownProvider
    /// The provider is switched off, and no login was stored.
    case providerOff
    case unknownApp
    /// The provider does not let an app set this authorize parameter.
    case parameterNotAllowed(String)
    /// The provider opens the e-ID's app in a different way on each platform, and the request names no platform.
    case platformMissing
    /// The same for a web page whose request does not name the operating system of its browser.
    case systemMissing
    /// The provider does not work there. The value names the member of the request: `platform` or `os`.
    case platformNotSupported(String)
    /// The app's sessions are bound to a key, and the request does not name its thumbprint.
    case thumbprintMissing
    /// The login may need this action, and the client does not know it.
    case actionMissing(LoginAction)
    /// The same poll secret came with a different body.
    case differentBody
    /// No login has this id, or the secret is wrong.
    case unknownLogin
    /// The result was acknowledged, or its time is over.
    case gone
    /// Only a final login can be acknowledged.
    case notFinal
    /// The link does not belong to this login.
    case notOurs
    /// No page shows a code yet.
    case codeTooEarly
    /// The code is not the one that the page shows.
    case wrongCode(triesLeft: Int)
    case tooManyPending
    /// The caller's budget is used up. It gets new budget after `retryAfter`.
    case overBudget(retryAfter: Duration)
    /// The broker could not be reached, and no login was stored.
    case brokerUnreachable
    /// We have no resources left to call the broker, and no login was stored.
    case overloaded
    case storeUnavailable
}

extension LoginFlowError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownProvider: "the app has no such provider: check its providers in the configuration"
        case .providerOff: "the provider is switched off: offer another one, or try again later"
        case .unknownApp: "no such app is configured"
        case .parameterNotAllowed(let name): "the provider does not let an app set \(name): check what it allows"
        case .platformMissing: "the provider needs to know the platform: name it in the request"
        case .systemMissing: "the provider needs to know the system of the web page: name it in the request"
        case .platformNotSupported(let member): "the provider does not work on that \(member): offer another one"
        case .thumbprintMissing: "the app's sessions need a key: name its thumbprint in the request"
        case .actionMissing(let action): "the client does not know \(action.rawValue): offer another provider"
        case .differentBody: "the secret belongs to another request: make a new secret for a new login"
        case .unknownLogin: "no login has this id and secret: create one"
        case .gone: "the result was acknowledged or its time is over: create a new login"
        case .notFinal: "the login is not final yet: acknowledge it when it is"
        case .notOurs: "the link does not belong to this login: handle it elsewhere"
        case .codeTooEarly: "no page shows a code yet: wait until the user has logged in"
        case .wrongCode(let triesLeft): "the code is wrong, with \(triesLeft) tries left: ask the user for it again"
        case .tooManyPending: "too many logins are pending: try again later"
        case .overBudget(let retryAfter): "the caller's budget is used up: try again after \(retryAfter)"
        case .brokerUnreachable: "the broker does not respond: try again"
        case .overloaded: "no file descriptor is left: raise the limit of the process, or try again"
        case .storeUnavailable: "the store does not respond: try again"
        }
    }
}
