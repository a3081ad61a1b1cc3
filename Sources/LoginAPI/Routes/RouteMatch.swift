import HTTPWire

/// The result of looking up a method and a path in a route table.
enum RouteMatch<Target: Sendable>: Sendable {
    /// `parameter` is what the `*` of the pattern matches; empty if it has none.
    case route(Target, parameter: String)
    /// OPTIONS for a resource that exists.
    case options(allowed: [Method])
    case wrongMethod(allowed: [Method])
    case nothing

    init(_ method: Method, _ path: String, in table: [Endpoint<Target>]) {
        // HEAD is GET without the content (RFC 9110 §9.3.2); a handler with side effects checks the method.
        let lookupMethod = method == .head ? Method.get : method
        var methods: [Method] = []
        // A path of its own is no parameter of another one: its line stands first, and the others do not count.
        var isExact = false
        for endpoint in table where !isExact || !endpoint.pattern.hasParameter {
            guard let parameter = endpoint.pattern.parameter(of: path) else { continue }
            if endpoint.method == lookupMethod {
                self = .route(endpoint.target, parameter: String(parameter))
                return
            }
            methods.append(endpoint.method)
            isExact = isExact || !endpoint.pattern.hasParameter
        }
        guard !methods.isEmpty else {
            self = .nothing
            return
        }
        let allowed = Self.allowed(methods)
        self = method == .options ? .options(allowed: allowed) : .wrongMethod(allowed: allowed)
    }

    /// Matches the method of a resource that supports GET only.
    init(_ method: Method, _ target: Target, parameter: String) {
        let allowed = Self.allowed([.get])
        switch method {
        case .get, .head: self = .route(target, parameter: parameter)
        case .options: self = .options(allowed: allowed)
        default: self = .wrongMethod(allowed: allowed)
        }
    }

    private static func allowed(_ methods: [Method]) -> [Method] {
        methods.flatMap { $0 == .get ? [.get, .head] : [$0] } + [.options]
    }
}

extension RouteMatch: Equatable where Target: Equatable {}

extension [Method] {
    /// The value of the `Allow` header.
    var list: String { self.map(\.rawValue).joined(separator: ", ") }
}
