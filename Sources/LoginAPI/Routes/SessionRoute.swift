/// The resources of sessions: what an app, its backend and its API use after a login.
package enum SessionRoute: Equatable, Sendable {
    case begin
    case list
    case end(id: String)
    case setPIN(id: String)
    /// Lists and ends the sessions of a person. Only for an app's own backend.
    case search, endAll
    case token
    case revoke
    /// The metadata of the authorization server (RFC 8414).
    case metadata
    /// The keys of access tokens.
    case keys
}

extension SessionRoute {
    var path: String {
        switch self {
        case .begin, .list: "/v1/sessions"
        case .end(let id): "/v1/sessions/" + id
        case .setPIN(let id): "/v1/sessions/" + id + "/pin"
        case .search: "/v1/sessions/search"
        case .endAll: "/v1/sessions/end"
        case .token: "/oauth/token"
        case .revoke: "/oauth/revoke"
        case .metadata: "/.well-known/oauth-authorization-server"
        case .keys: "/.well-known/access-jwks.json"
        }
    }

    /// Its name in metrics and in the log.
    var label: RouteLabel {
        switch self {
        case .begin: .beginSession
        case .list: .listSessions
        case .end: .endSession
        case .setPIN: .setPIN
        case .search: .searchSessions
        case .endAll: .endSessions
        case .token: .token
        case .revoke: .revoke
        case .metadata: .authorizationServer
        case .keys: .accessKeys
        }
    }
}
