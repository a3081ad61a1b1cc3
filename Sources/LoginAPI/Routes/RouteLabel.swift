/// The name of a route in metrics and in the log.
package enum RouteLabel: String, Sendable, CaseIterable {
    case providers
    case createLogin = "create"
    case login = "poll"
    case openLogin = "go"
    case callback
    case done
    case doneState = "done_state"
    case handleReturn = "return"
    case cancelLogin = "cancel"
    case deleteLogin = "delete"
    case beginSession = "begin_session"
    case listSessions = "list_sessions"
    case endSession = "end_session"
    case setPIN = "set_pin"
    case searchSessions = "search_sessions"
    case endSessions = "end_sessions"
    case token
    case revoke
    case authorizationServer = "authorization_server"
    case accessKeys = "access_jwks"
    case keys = "jwks"
    case discovery
    case clientKeys = "client_jwks"
    case openAPI = "openapi"
    case openAPIForApps = "openapi_app"
    case problem
    case problems
    case asset
    case appSiteAssociation = "app_site_association"
    case assetLinks = "asset_links"
    case favicon
    case robots
    case securityText = "security_txt"
    case home
    case returnLink = "return_link"
    /// The request is for no route.
    case none
}

extension RouteLabel {
    /// True for a login, which is available as JSON and as an event stream.
    var hasTwoForms: Bool { self == .login }

    /// Whether its responses have a nonce for the next DPoP proof (RFC 9449 §8), if the server has sessions. A login's
    /// responses have one because `POST /v1/sessions` follows.
    var hasNonce: Bool {
        switch self {
        case .createLogin, .login, .handleReturn, .beginSession, .listSessions, .endSession, .setPIN, .searchSessions,
            .endSessions, .token:
            true
        case .providers, .openLogin, .callback, .done, .doneState, .cancelLogin, .deleteLogin, .revoke,
            .authorizationServer, .accessKeys, .keys, .discovery, .clientKeys, .openAPI, .openAPIForApps, .problem,
            .problems, .asset, .appSiteAssociation, .assetLinks, .favicon, .robots, .securityText, .home, .returnLink,
            .none:
            false
        }
    }
}
