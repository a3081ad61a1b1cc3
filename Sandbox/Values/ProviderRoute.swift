import HTTPWire

/// The paths of every provider, whichever broker it plays.
enum ProviderRoute: String, CaseIterable, ServedRoute {
    case discovery = "/.well-known/openid-configuration"
    case keys = "/jwks"
    case pushedRequest = "/par"
    case authorize = "/authorize"
    /// Where a browser continues after an e-ID's app has taken over.
    case resume = "/resume"
    case decision = "/decision"
    case token = "/token"
    case userinfo = "/userinfo"
    case stylesheet = "/sandbox.css"

    /// A second path of each endpoint, for a discovery document that names it.
    private static let elsewhere = "/elsewhere"

    init?(path: String) {
        self.init(rawValue: path.hasPrefix(Self.elsewhere) ? String(path.dropFirst(Self.elsewhere.count)) : path)
    }

    /// Returns the second URL of an endpoint.
    static func moved(_ url: String) -> String {
        guard let route = Self.allCases.first(where: { url.hasSuffix($0.rawValue) }) else { return url }
        return url.dropLast(route.rawValue.count) + Self.elsewhere + route.rawValue
    }

    /// Whether discovery names it.
    var isEndpoint: Bool {
        switch self {
        case .keys, .pushedRequest, .authorize, .token, .userinfo: true
        case .discovery, .resume, .decision, .stylesheet: false
        }
    }

    var methods: [Method] {
        switch self {
        case .discovery, .keys, .resume, .stylesheet: [.get, .head]
        case .authorize, .userinfo: [.get, .post]
        case .pushedRequest, .decision, .token: [.post]
        }
    }
}

/// A path that is served, and the methods that it accepts.
protocol ServedRoute: RawRepresentable<String>, Sendable {
    var methods: [Method] { get }
}

extension ServedRoute {
    func url(_ origin: String) -> String { origin + self.rawValue }

    /// Returns the response to a request with another method; nil for an accepted method.
    func refusal(of request: Request) -> Response? {
        guard !self.methods.contains(request.method) else { return nil }
        let allowedMethods = self.methods.map(\.rawValue).joined(separator: ", ")
        return Response(.methodNotAllowed, fields: [.allow: allowedMethods], body: [])
    }
}
