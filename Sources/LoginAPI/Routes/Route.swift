/// Every resource for apps and browsers, in the order in which a login uses them.
///
/// A new endpoint needs a case here, a line in `table`, a line in `path`, and the case in `PublicHandler` that the
/// compiler demands. No other file contains a path.
package enum Route: Equatable, Sendable {
    case providers
    case createLogin
    /// GET, by the app.
    case login(id: String)
    /// GET or HEAD, by a browser.
    case openLogin(startToken: String)
    case callback(broker: String)
    case done(pageToken: String)
    case doneState(pageToken: String)
    case handleReturn(id: String)
    case cancelLogin(id: String)
    case deleteLogin(id: String)
    /// What follows a login.
    case session(SessionRoute)
    /// The keys of assertions.
    case keys
    case discovery
    /// The keys for brokers.
    case clientKeys
    case appSiteAssociation
    case assetLinks
    /// The whole API, and the part that apps need.
    case openAPI, openAPIForApps
    /// The page that a problem's `type` links to, and the list of all.
    case problem(code: String)
    case problems
    case asset(name: String)
    /// What browsers and search engines ask for by themselves.
    case favicon, robots
    /// Where to report a security problem.
    case securityText
    /// The address of the server, which a person may open.
    case home
    /// A link to an app that a browser opened. It has no line in `table`, because the configuration defines these
    /// paths.
    case returnLink(app: String)
}

extension Route {
    static let table: [Endpoint<Route>] = [
        Endpoint(.get, "/v1/providers", .providers),
        Endpoint(.post, "/v1/logins", .createLogin),
        Endpoint(.get, "/v1/logins/*", Route.login(id:)),
        Endpoint(.get, "/go/*", Route.openLogin(startToken:)),
        Endpoint(.get, "/callback/*", Route.callback(broker:)),
        Endpoint(.post, "/callback/*", Route.callback(broker:)),
        Endpoint(.get, "/done/*", Route.done(pageToken:)),
        Endpoint(.get, "/done/*/state", Route.doneState(pageToken:)),
        Endpoint(.post, "/v1/logins/*/return", Route.handleReturn(id:)),
        Endpoint(.post, "/v1/logins/*/cancel", Route.cancelLogin(id:)),
        Endpoint(.delete, "/v1/logins/*", Route.deleteLogin(id:)),
        Endpoint(.post, "/v1/sessions", .session(.begin)),
        Endpoint(.get, "/v1/sessions", .session(.list)),
        Endpoint(.post, "/v1/sessions/search", .session(.search)),
        Endpoint(.post, "/v1/sessions/end", .session(.endAll)),
        Endpoint(.delete, "/v1/sessions/*", Route.endSession(id:)),
        Endpoint(.put, "/v1/sessions/*/pin", Route.setPIN(id:)),
        Endpoint(.post, "/oauth/token", .session(.token)),
        Endpoint(.post, "/oauth/revoke", .session(.revoke)),
        Endpoint(.get, "/.well-known/oauth-authorization-server", .session(.metadata)),
        Endpoint(.get, "/.well-known/access-jwks.json", .session(.keys)),
        Endpoint(.get, "/.well-known/jwks.json", .keys),
        Endpoint(.get, "/.well-known/openid-configuration", .discovery),
        Endpoint(.get, "/client/jwks.json", .clientKeys),
        Endpoint(.get, "/.well-known/apple-app-site-association", .appSiteAssociation),
        Endpoint(.get, "/.well-known/assetlinks.json", .assetLinks),
        Endpoint(.get, "/openapi.yaml", .openAPI),
        Endpoint(.get, "/openapi-app.yaml", .openAPIForApps),
        Endpoint(.get, "/problems", .problems),
        Endpoint(.get, "/problems/*", Route.problem(code:)),
        Endpoint(.get, "/assets/*", Route.asset(name:)),
        Endpoint(.get, "/favicon.ico", .favicon),
        Endpoint(.get, "/apple-touch-icon.png", .favicon),
        Endpoint(.get, "/apple-touch-icon-precomposed.png", .favicon),
        Endpoint(.get, "/robots.txt", .robots),
        Endpoint(.get, "/.well-known/security.txt", .securityText),
        Endpoint(.get, "/", .home),
    ]

    private static func endSession(id: String) -> Route { .session(.end(id: id)) }

    private static func setPIN(id: String) -> Route { .session(.setPIN(id: id)) }

    /// The path on this server. The path of a return link depends on the prefixes of its app.
    package var path: String {
        switch self {
        case .providers: "/v1/providers"
        case .createLogin: "/v1/logins"
        case .login(let id), .deleteLogin(let id): "/v1/logins/" + id
        case .openLogin(let startToken): "/go/" + startToken
        case .callback(let broker): "/callback/" + broker
        case .done(let pageToken): "/done/" + pageToken
        case .doneState(let pageToken): "/done/" + pageToken + "/state"
        case .handleReturn(let id): "/v1/logins/" + id + "/return"
        case .cancelLogin(let id): "/v1/logins/" + id + "/cancel"
        case .session(let route): route.path
        case .keys: "/.well-known/jwks.json"
        case .discovery: "/.well-known/openid-configuration"
        case .clientKeys: "/client/jwks.json"
        case .openAPI: "/openapi.yaml"
        case .openAPIForApps: "/openapi-app.yaml"
        case .problem(let code): "/problems/" + code
        case .problems: "/problems"
        case .asset(let name): "/assets/" + name
        case .appSiteAssociation: "/.well-known/apple-app-site-association"
        case .assetLinks: "/.well-known/assetlinks.json"
        case .favicon: "/favicon.ico"
        case .robots: "/robots.txt"
        case .securityText: "/.well-known/security.txt"
        case .home, .returnLink: "/"
        }
    }

    /// The page of no login. No login can have this token.
    static let unknownPage = Route.done(pageToken: "unknown")

    /// The page for a window that cannot finish its login, while another window is open at the broker.
    static let elsewherePage = Route.done(pageToken: "elsewhere")

    /// The page for a window whose login went on in another window.
    static let continuedPage = Route.done(pageToken: "continued")

    /// Its name in metrics and in the log, one for each case.
    package var label: RouteLabel {
        switch self {
        case .providers: .providers
        case .createLogin: .createLogin
        case .login: .login
        case .openLogin: .openLogin
        case .callback: .callback
        case .done: .done
        case .doneState: .doneState
        case .handleReturn: .handleReturn
        case .cancelLogin: .cancelLogin
        case .deleteLogin: .deleteLogin
        case .session(let route): route.label
        case .keys: .keys
        case .discovery: .discovery
        case .clientKeys: .clientKeys
        case .openAPI: .openAPI
        case .openAPIForApps: .openAPIForApps
        case .problem: .problem
        case .problems: .problems
        case .asset: .asset
        case .appSiteAssociation: .appSiteAssociation
        case .assetLinks: .assetLinks
        case .favicon: .favicon
        case .robots: .robots
        case .securityText: .securityText
        case .home: .home
        case .returnLink: .returnLink
        }
    }
}

/// The resources for operators, on a port of their own.
package enum OperationsRoute: Equatable, Sendable {
    case live
    case ready
    case metrics
}

extension OperationsRoute {
    static let table: [Endpoint<OperationsRoute>] = [
        Endpoint(.get, "/livez", .live),
        Endpoint(.get, "/readyz", .ready),
        Endpoint(.get, "/metrics", .metrics),
    ]
}
