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
    var label: String {
        switch self {
        case .begin: "begin_session"
        case .list: "list_sessions"
        case .end: "end_session"
        case .setPIN: "set_pin"
        case .search: "search_sessions"
        case .endAll: "end_sessions"
        case .token: "token"
        case .revoke: "revoke"
        case .metadata: "authorization_server"
        case .keys: "access_jwks"
        }
    }

    /// Whether it takes DPoP proofs, or is about a session. Its responses then have a fresh nonce.
    var hasNonce: Bool {
        switch self {
        case .begin, .list, .end, .setPIN, .search, .endAll, .token: true
        case .revoke, .metadata, .keys: false
        }
    }
}
