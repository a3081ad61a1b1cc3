import HTTPWire
import Testing

@testable import LoginAPI

/// Tests which method and path lead where, and that every path is strict.
@Suite struct RouteTests {
    /// `route` is the label, and what the path has in the place of the `*`.
    typealias Case = (line: String, route: String)

    static let routes: [Case] = [
        ("GET /v1/providers", "providers"),
        ("HEAD /v1/providers", "providers"),
        ("POST /v1/logins", "create"),
        ("GET /v1/logins/abc", "poll abc"),
        ("HEAD /v1/logins/abc", "poll abc"),
        ("DELETE /v1/logins/abc", "delete abc"),
        ("POST /v1/logins/abc/return", "return abc"),
        ("POST /v1/logins/abc/cancel", "cancel abc"),
        ("GET /go/a-_Z9", "go a-_Z9"),
        ("GET /callback/my_broker", "callback my_broker"),
        ("POST /callback/my_broker", "callback my_broker"),
        ("GET /done/abc", "done abc"),
        ("HEAD /done/abc", "done abc"),
        ("POST /done/abc", "done abc"),
        ("GET /done/abc/state", "done_state abc"),
        ("HEAD /done/abc/state", "done_state abc"),
        ("POST /v1/sessions", "begin_session"),
        ("GET /v1/sessions", "list_sessions"),
        ("DELETE /v1/sessions/abc", "end_session abc"),
        ("PUT /v1/sessions/abc/pin", "set_pin abc"),
        ("POST /v1/sessions/search", "search_sessions"),
        ("POST /v1/sessions/end", "end_sessions"),
        ("POST /oauth/token", "token"),
        ("POST /oauth/revoke", "revoke"),
        ("GET /.well-known/oauth-authorization-server", "authorization_server"),
        ("GET /.well-known/access-jwks.json", "access_jwks"),
        ("GET /.well-known/jwks.json", "jwks"),
        ("GET /.well-known/openid-configuration", "discovery"),
        ("GET /client/jwks.json", "client_jwks"),
        ("GET /.well-known/apple-app-site-association", "app_site_association"),
        ("GET /.well-known/assetlinks.json", "asset_links"),
        ("GET /openapi.yaml", "openapi"),
        ("GET /openapi-app.yaml", "openapi_app"),
        ("GET /problems", "problems"),
        ("GET /problems/unknown_login", "problem unknown_login"),
        ("GET /assets/switchback.css", "asset switchback.css"),
        ("GET /favicon.ico", "favicon"),
        ("GET /apple-touch-icon.png", "favicon"),
        ("GET /apple-touch-icon-precomposed.png", "favicon"),
        ("GET /robots.txt", "robots"),
        ("GET /.well-known/security.txt", "security_txt"),
        ("GET /", "home"),
    ]

    /// The table, with the labels as targets.
    static let table = PublicRoutes.table.map { Endpoint($0.method, $0.pattern, $0.target.label.name) }

    static func match(_ line: String) -> RouteMatch<String> {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        return RouteMatch(HTTPWire.Method(rawValue: parts[0]), parts[1], in: Self.table)
    }

    @Test(arguments: routes)
    func `each path leads to its route`(_ row: Case) {
        let words = row.route.split(separator: " ").map(String.init)
        #expect(Self.match(row.line) == .route(words[0], parameter: words.count == 2 ? words[1] : ""))
    }

    @Test func `every route is in the table`() {
        let labels = Set(Self.routes.map { $0.route.prefix { $0 != " " } }.map(String.init))
        // The paths of return links depend on the configuration.
        #expect(labels == Set(PublicRoutes.labels).subtracting(["return_link", "none"]))
        #expect(Set(PublicRoutes.table.map(\.method)).count == 4)
        #expect(Set(Self.table.map { "\($0.method.rawValue) \($0.pattern.text)" }).count == Self.table.count)
    }

    /// The metrics count by label, so one label is for one thing.
    @Test func `rows of one label have the same kind of responses`() {
        for route in PublicRoutes.table.map(\.target.label) {
            let others = PublicRoutes.table.map(\.target.label).filter { $0.name == route.name }
            #expect(
                others.allSatisfy { $0.hasNonce == route.hasNonce && $0.hasTwoForms == route.hasTwoForms },
                "\(route.name)")
        }
    }

    /// RFC 9449 §8: every response that a request with a proof follows.
    @Test func `each route of sessions has a nonce but that which ends one`() {
        let labels = PublicRoutes.table.map(\.target.label).filter(\.hasNonce).map(\.name)
        #expect(
            labels == [
                "create", "poll", "return", "begin_session", "list_sessions", "search_sessions", "end_sessions",
                "end_session", "set_pin", "token",
            ])
    }

    /// The path that a pattern makes leads to its row.
    @Test func `the path of a pattern leads back to it`() {
        for endpoint in Self.table {
            let path = endpoint.pattern.hasParameter ? endpoint.pattern.path("a-_Z.9") : endpoint.pattern.path
            let parameter = endpoint.pattern.hasParameter ? "a-_Z.9" : ""
            #expect(endpoint.pattern.path(parameter) == path)
            #expect(
                RouteMatch(endpoint.method, path, in: Self.table) == .route(endpoint.target, parameter: parameter))
        }
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
        #expect(RouteMatch(.get, path, in: OperationsRoute.table) == .route(route, parameter: ""))
        #expect(Self.match("GET \(path)") == .nothing)
    }
}
