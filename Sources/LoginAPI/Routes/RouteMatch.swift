import HTTPWire

/// The result of looking up a method and a path in a route table.
enum RouteMatch<Route: Equatable & Sendable>: Equatable, Sendable {
    case route(Route)
    /// OPTIONS for a resource that exists.
    case options(allowed: [Method])
    case wrongMethod(allowed: [Method])
    case nothing

    init(_ method: Method, _ path: String, in table: [Endpoint<Route>]) {
        // HEAD is GET without the content (RFC 9110 §9.3.2); a handler with side effects checks the method.
        let lookupMethod = method == .head ? Method.get : method
        var methods: [Method] = []
        // A path of its own is no parameter of another one: its line stands first, and the others do not count.
        var isExact = false
        for endpoint in table where !isExact || !endpoint.hasParameter {
            guard let parameter = endpoint.parameter(of: path) else { continue }
            if endpoint.method == lookupMethod {
                self = .route(endpoint.route(with: parameter))
                return
            }
            methods.append(endpoint.method)
            isExact = isExact || !endpoint.hasParameter
        }
        guard !methods.isEmpty else {
            self = .nothing
            return
        }
        let allowed = Self.allowed(methods)
        self = method == .options ? .options(allowed: allowed) : .wrongMethod(allowed: allowed)
    }

    /// Matches the method of a resource that supports GET only.
    init(_ method: Method, _ route: Route) {
        let allowed = Self.allowed([.get])
        switch method {
        case .get, .head: self = .route(route)
        case .options: self = .options(allowed: allowed)
        default: self = .wrongMethod(allowed: allowed)
        }
    }

    private static func allowed(_ methods: [Method]) -> [Method] {
        methods.flatMap { $0 == .get ? [.get, .head] : [$0] } + [.options]
    }
}

extension RouteMatch<Route> {
    /// The route's label.
    var label: RouteLabel {
        switch self {
        case .route(let route): route.label
        case .options, .wrongMethod, .nothing: .none
        }
    }
}

extension [Method] {
    /// The value of the `Allow` header.
    var list: String { self.map(\.rawValue).joined(separator: ", ") }
}
