/// A limit on requests, as it is counted when it refuses one.
package enum RequestLimit: CaseIterable, Sendable {
    case createPerAddress
    case createPerApp
    case brokerCallsPerAddress
    case attemptsPerLogin
    case pollsPerLogin
    case pageStatesPerLogin
    case proofsPerAddress
    case requestsPerSession
    case pendingLogins

    /// The problem of a refused request.
    var code: Problem.Code {
        switch self {
        case .createPerAddress, .createPerApp, .brokerCallsPerAddress, .attemptsPerLogin: .tooManyLogins
        case .pollsPerLogin, .pageStatesPerLogin: .pollingTooFast
        case .proofsPerAddress, .requestsPerSession: .tooManyRequests
        case .pendingLogins: .tooManyPending
        }
    }
}
