import HTTPWire

// A class, so that a lookup copies no row of the table.
/// One row of a route table: a method, a path pattern, and what is there.
final class Endpoint<Target: Sendable>: Sendable {
    let method: Method
    let pattern: PathPattern
    let target: Target

    init(_ method: Method, _ pattern: PathPattern, _ target: Target) {
        self.method = method
        self.pattern = pattern
        self.target = target
    }
}

/// What the log and the metrics call a route, and what all of its responses have.
struct RouteLabel: Equatable, Sendable {
    let name: String
    /// The pattern of its path. It is nil if the path depends on the configuration, or if there is no route.
    let path: String?
    /// Whether its responses have a nonce for the next DPoP proof (RFC 9449 §8), if the server has sessions. A login's
    /// responses have one because `POST /v1/sessions` follows.
    let hasNonce: Bool
    /// True for a login, which is available as JSON and as an event stream.
    let hasTwoForms: Bool

    init(_ name: String, path: String? = nil, hasNonce: Bool = false, hasTwoForms: Bool = false) {
        self.name = name
        self.path = path
        self.hasNonce = hasNonce
        self.hasTwoForms = hasTwoForms
    }

    /// The request is for no route.
    static let none = RouteLabel("none")
}

/// The resources for operators, on a port of their own.
package enum OperationsRoute: Equatable, Sendable {
    case live
    case ready
    case metrics
    /// What happened to the login with a reference.
    case login
}

extension OperationsRoute {
    static let table: [Endpoint<OperationsRoute>] = [
        Endpoint(.get, "/livez", .live),
        Endpoint(.get, "/readyz", .ready),
        Endpoint(.get, "/metrics", .metrics),
        Endpoint(.get, "/logins/*", .login),
    ]

    /// The routes while nobody can read what happened to a login.
    static let withoutLogins = Self.table.filter { $0.target != .login }
}
