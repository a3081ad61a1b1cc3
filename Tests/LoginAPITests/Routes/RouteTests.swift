import HTTPWire
import Testing

@testable import LoginAPI

/// Tests which method and path lead where, and that every path is strict.
@Suite struct RouteTests {
    typealias Case = (line: String, route: Route)

    static let routes: [Case] = [
        ("GET /v1/providers", .providers),
        ("HEAD /v1/providers", .providers),
        ("POST /v1/logins", .createLogin),
        ("GET /v1/logins/abc", .login(id: "abc")),
        ("HEAD /v1/logins/abc", .login(id: "abc")),
        ("DELETE /v1/logins/abc", .deleteLogin(id: "abc")),
        ("POST /v1/logins/abc/return", .handleReturn(id: "abc")),
        ("POST /v1/logins/abc/cancel", .cancelLogin(id: "abc")),
        ("GET /go/a-_Z9", .openLogin(startToken: "a-_Z9")),
        ("GET /callback/my_broker", .callback(broker: "my_broker")),
        ("POST /callback/my_broker", .callback(broker: "my_broker")),
        ("GET /done/abc", .done(pageToken: "abc")),
        ("HEAD /done/abc", .done(pageToken: "abc")),
        ("GET /done/abc/state", .doneState(pageToken: "abc")),
        ("HEAD /done/abc/state", .doneState(pageToken: "abc")),
        ("POST /v1/sessions", .session(.begin)),
        ("GET /v1/sessions", .session(.list)),
        ("DELETE /v1/sessions/abc", .session(.end(id: "abc"))),
        ("PUT /v1/sessions/abc/pin", .session(.setPIN(id: "abc"))),
        ("POST /v1/sessions/search", .session(.search)),
        ("POST /v1/sessions/end", .session(.endAll)),
        ("POST /oauth/token", .session(.token)),
        ("POST /oauth/revoke", .session(.revoke)),
        ("GET /.well-known/oauth-authorization-server", .session(.metadata)),
        ("GET /.well-known/access-jwks.json", .session(.keys)),
        ("GET /.well-known/jwks.json", .keys),
        ("GET /.well-known/openid-configuration", .discovery),
        ("GET /client/jwks.json", .clientKeys),
        ("GET /.well-known/apple-app-site-association", .appSiteAssociation),
        ("GET /.well-known/assetlinks.json", .assetLinks),
        ("GET /openapi.yaml", .openAPI),
        ("GET /openapi-app.yaml", .openAPIForApps),
        ("GET /problems", .problems),
        ("GET /problems/unknown_login", .problem(code: "unknown_login")),
        ("GET /assets/switchback.css", .asset(name: "switchback.css")),
        ("GET /favicon.ico", .favicon),
        ("GET /robots.txt", .robots),
        ("GET /.well-known/security.txt", .securityText),
        ("GET /", .home),
    ]

    static func match(_ line: String) -> RouteMatch<Route> {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        return RouteMatch(HTTPWire.Method(rawValue: parts[0]), parts[1], in: Route.table)
    }

    @Test(arguments: routes)
    func `each path leads to its route`(_ row: Case) { #expect(Self.match(row.line) == .route(row.route)) }

    @Test func `every route is in the table`() {
        let labels = Set(Self.routes.map(\.route.label))
        // The paths of return links depend on the configuration.
        #expect(labels == Set(RouteLabel.allCases).subtracting([.returnLink, .none]))
        #expect(Set(Route.table.map(\.method)).count == 4)
    }

    /// The path of a route leads to that route.
    @Test(arguments: routes) func `the path of a route leads back to it`(_ row: Case) {
        let path = row.route.path
        #expect(row.line.hasSuffix(" " + path))
    }

    @Test(arguments: [
        "GET //", "GET /v1", "GET /v1/logins/", "GET /v1/logins//return", "GET /v1/logins/a/b",
        "GET /v1/providers/", "GET /done/abc/", "GET /done/abc/state/", "GET /done//state", "GET //v1/providers",
        "GET /V1/providers", "GET /v1/logins/%61bc", "GET /v1/logins/a%2Fb",
        "POST /v1/logins/abc/return/", "GET /assets/", "GET /assets/..", "GET /assets/.hidden", "GET /assets/a/b",
        "GET /assets/..%2f", "GET /go/a;b", "GET /go/a=b", "OPTIONS *", "GET /nothing", "POST /nothing",
        "GET /v1/logins/" + String(repeating: "a", count: 129),
    ]) func `an unknown path leads nowhere`(_ line: String) { #expect(Self.match(line) == .nothing) }

    @Test(arguments: [
        ("POST /v1/providers", "GET, HEAD, OPTIONS"), ("GET /v1/logins", "POST, OPTIONS"),
        ("HEAD /v1/logins", "POST, OPTIONS"), ("PUT /v1/logins/abc", "GET, HEAD, DELETE, OPTIONS"),
        ("GET /v1/logins/abc/return", "POST, OPTIONS"), ("DELETE /callback/b", "GET, HEAD, POST, OPTIONS"),
        ("PUT /v1/sessions", "POST, GET, HEAD, OPTIONS"), ("GET /v1/sessions/search", "POST, OPTIONS"),
        ("DELETE /v1/sessions/end", "POST, OPTIONS"), ("GET /v1/sessions/x", "DELETE, OPTIONS"),
        ("GET /oauth/token", "POST, OPTIONS"),
        ("POST /go/abc", "GET, HEAD, OPTIONS"), ("POST /done/abc/state", "GET, HEAD, OPTIONS"),
        ("get /openapi.yaml", "GET, HEAD, OPTIONS"),
    ]) func `a wrong method is told the allowed ones`(_ line: String, _ allowed: String) {
        guard case .wrongMethod(let methods) = Self.match(line) else {
            Issue.record("\(Self.match(line))")
            return
        }
        #expect(methods.list == allowed)
    }

    @Test func `OPTIONS tells the methods`() {
        #expect(Self.match("OPTIONS /v1/logins/abc") == .options(allowed: [.get, .head, .delete, .options]))
    }

    @Test(arguments: [("/livez", OperationsRoute.live), ("/readyz", .ready), ("/metrics", .metrics)])
    func `operations have their own table`(_ path: String, _ route: OperationsRoute) {
        #expect(RouteMatch(.get, path, in: OperationsRoute.table) == .route(route))
        #expect(RouteMatch(.get, path, in: Route.table) == .nothing)
    }
}
