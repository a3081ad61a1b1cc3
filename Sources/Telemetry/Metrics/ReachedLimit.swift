import HTTPServer
import LoginAPI

/// A limit that turned a caller away, or made somebody give way. The raw value is its name in logs and metrics.
package enum ReachedLimit: String, CaseIterable, Sendable {
    case createPerAddress = "create_per_address"
    case createPerApp = "create_per_app"
    case brokerCallsPerAddress = "broker_calls_per_address"
    case attemptsPerLogin = "attempts_per_login"
    case pollsPerLogin = "polls_per_login"
    case pageStatesPerLogin = "page_states_per_login"
    case proofsPerAddress = "proofs_per_address"
    case requestsPerSession = "requests_per_session"
    /// A create was refused.
    case pendingLogins = "pending_logins"
    /// The oldest login of a caller, which no browser had opened, made room for a new one.
    case unopenedLogins = "unopened_logins"
    /// A request to a broker found no connection in time.
    case brokerConnections = "broker_connections"
    case connections
    case connectionsPerAddress = "connections_per_address"
    case handshakes
    /// Connections gave way to those of other networks.
    case silentConnections = "silent_connections"
    case idleConnections = "idle_connections"
    case heldPolls = "held_polls"

    /// The setting that raises it; nil if none does.
    package var setting: String? {
        switch self {
        case .createPerAddress: "limits.create_per_address_per_minute"
        case .createPerApp: "limits.create_per_app_per_minute"
        case .brokerCallsPerAddress: "limits.broker_calls_per_address_per_minute"
        case .pollsPerLogin: "poll.interval"
        case .pendingLogins, .unopenedLogins: "limits.pending_logins"
        case .brokerConnections: "limits.broker_connections"
        case .connections, .silentConnections, .idleConnections, .heldPolls: "limits.connections"
        case .connectionsPerAddress: "limits.connections_per_address"
        case .handshakes: "limits.handshakes"
        case .attemptsPerLogin, .pageStatesPerLogin, .proofsPerAddress, .requestsPerSession: nil
        }
    }

    init(_ limit: RequestLimit) {
        switch limit {
        case .createPerAddress: self = .createPerAddress
        case .createPerApp: self = .createPerApp
        case .brokerCallsPerAddress: self = .brokerCallsPerAddress
        case .attemptsPerLogin: self = .attemptsPerLogin
        case .pollsPerLogin: self = .pollsPerLogin
        case .pageStatesPerLogin: self = .pageStatesPerLogin
        case .proofsPerAddress: self = .proofsPerAddress
        case .requestsPerSession: self = .requestsPerSession
        case .pendingLogins: self = .pendingLogins
        }
    }

    /// Nil if the client broke a rule, and no limit.
    init?(_ refusal: ConnectionRefusal) {
        switch refusal {
        case .tooManyConnections: self = .connections
        case .tooManyFromAddress: self = .connectionsPerAddress
        case .notFromProxy, .badProxyHeader: return nil
        }
    }

    init(_ kind: Displacement) {
        switch kind {
        case .silent: self = .silentConnections
        case .idle: self = .idleConnections
        case .poll: self = .heldPolls
        }
    }
}
