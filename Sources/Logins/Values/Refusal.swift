/// What we say no to, and why: a closed list, said to the caller as it is.
package enum Refusal: Error, Equatable, Sendable {
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
