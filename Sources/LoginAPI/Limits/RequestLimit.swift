import HTTPWire

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

/// What may be told of a caller's address: which kind of address it is, and so how it is counted.
package enum AddressClass: String, CaseIterable, Sendable {
    case ipv4, ipv6

    init(_ address: IPAddress) { self = address.isV4 ? .ipv4 : .ipv6 }
}
