import HTTPWire
import Links

/// Every resource for apps and browsers, in the order in which a login uses them.
///
/// A new one is a row here and its handler. No other file contains its path, unless something links to it: then the
/// row uses a pattern that `PathPattern` names.
package enum PublicRoutes {
    static let table: [Endpoint<PublicRoute>] = [
        Endpoint(.get, "/v1/providers", "providers") { ListProviders($0) },
        Endpoint(.post, "/v1/logins", "create", hasNonce: true) { CreateLogin($0) },
        Endpoint(.get, .login, "poll", hasNonce: true, hasTwoForms: true) { PollOrWatchLogin($0) },
        Endpoint(.get, "/go/*", "go") { RedirectToBroker($0) },
        Endpoint(.get, .callback, "callback") { HandleCallback($0) },
        Endpoint(.post, .callback, "callback") { HandleCallback($0) },
        Endpoint(.get, .page, "done") { ShowPage($0) },
        Endpoint(.post, .page, "done") { GiveMoreTime($0) },
        Endpoint(.get, "/done/*/state", "done_state") { PollPageState($0) },
        Endpoint(.post, "/v1/logins/*/return", "return", hasNonce: true) { HandleReturn($0) },
        Endpoint(.post, "/v1/logins/*/cancel", "cancel") { CancelLogin($0) },
        Endpoint(.delete, .login, "delete") { DeleteLogin($0) },
        Endpoint(.post, "/v1/sessions", "begin_session", hasNonce: true) { BeginSession($0) },
        Endpoint(.get, "/v1/sessions", "list_sessions", hasNonce: true) { ListSessions($0) },
        Endpoint(.post, "/v1/sessions/search", "search_sessions", hasNonce: true) { ListPersonSessions($0) },
        Endpoint(.post, "/v1/sessions/end", "end_sessions", hasNonce: true) { EndPersonSessions($0) },
        Endpoint(.delete, "/v1/sessions/*", "end_session", hasNonce: true) { EndSession($0) },
        Endpoint(.put, "/v1/sessions/*/pin", "set_pin", hasNonce: true) { SetPIN($0) },
        Endpoint(.post, .token, "token", hasNonce: true) { IssueToken($0) },
        Endpoint(.post, .revocation, "revoke") { RevokeToken($0) },
        Endpoint(.get, "/.well-known/oauth-authorization-server", "authorization_server") {
            FileHandler(json: AuthorizationServerMetadata($0)?.json)
        },
        Endpoint(.get, .accessKeys, "access_jwks") { KeySetHandler.make(.access, $0.files) },
        Endpoint(.get, .assertionKeys, "jwks") { KeySetHandler.make(.assertion, $0.files) },
        Endpoint(.get, "/.well-known/openid-configuration", "discovery") { FileHandler($0.files.discovery) },
        Endpoint(.get, .clientKeys, "client_jwks") { KeySetHandler.make(.client, $0.files) },
        Endpoint(.get, "/.well-known/apple-app-site-association", "app_site_association") {
            FileHandler(json: AppleAppSiteAssociation($0.settings.links)?.json)
        },
        Endpoint(.get, "/.well-known/assetlinks.json", "asset_links") {
            FileHandler(json: AssetLinks($0.settings.links)?.json)
        },
        Endpoint(.get, .openAPI, "openapi") { FileHandler($0.files.openAPI) },
        Endpoint(.get, "/openapi-app.yaml", "openapi_app") { FileHandler($0.files.openAPIForApps) },
        Endpoint(.get, .problems, "problems") { _ in FileHandler { _ in ProblemPages.all.index } },
        Endpoint(.get, .problem, "problem") { _ in FileHandler { ProblemPages.all[$0] } },
        Endpoint(.get, .asset, "asset") { server in FileHandler { server.files.assets[$0] } },
        // What browsers and search engines ask for by themselves.
        Endpoint(.get, "/favicon.ico", "favicon") { FileHandler($0.files.assets["favicon.svg"]) },
        Endpoint(.get, "/apple-touch-icon.png", "favicon") { FileHandler($0.files.assets["favicon.svg"]) },
        Endpoint(.get, "/apple-touch-icon-precomposed.png", "favicon") { FileHandler($0.files.assets["favicon.svg"]) },
        Endpoint(.get, "/robots.txt", "robots") { FileHandler($0.files.robots) },
        Endpoint(.get, .securityText, "security_txt") {
            FileHandler($0.settings.security?.file(publicURL: $0.settings.publicURL))
        },
        Endpoint(.get, "/", "home") { ShowHome($0) },
    ]

    /// A link to an app that a browser opened. It is not in the table, because the configuration defines these paths.
    static let returnLink = PublicRoute(label: RouteLabel("return_link")) { ShowReturnLink($0) }

    /// The names of all routes in the log and the metrics, each once, and that of a request for no route.
    package static let labels: [String] = {
        let labels = Self.table.map(\.target.label) + [Self.returnLink.label, .none]
        return labels.map(\.name).reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }
    }()
}

/// What is at an address for apps and browsers: its label, and who answers.
struct PublicRoute: Sendable {
    let label: RouteLabel
    /// Makes the handler. Nil if this configuration has none, so that every request is told that nothing is there.
    let makeHandler: @Sendable (PublicServices) -> (any RouteHandler)?
}

extension Endpoint<PublicRoute> {
    convenience init(
        _ method: Method, _ pattern: PathPattern, _ label: String, hasNonce: Bool = false, hasTwoForms: Bool = false,
        _ makeHandler: @escaping @Sendable (PublicServices) -> (any RouteHandler)?
    ) {
        let label = RouteLabel(label, path: pattern.text, hasNonce: hasNonce, hasTwoForms: hasTwoForms)
        self.init(method, pattern, PublicRoute(label: label, makeHandler: makeHandler))
    }
}
