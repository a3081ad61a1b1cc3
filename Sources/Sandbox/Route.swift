/// The paths of the provider.
enum Route: String, CaseIterable, Sendable {
    case discovery = "/.well-known/openid-configuration"
    case keys = "/jwks"
    case pushedRequest = "/par"
    case authorize = "/authorize"
    /// Where a browser goes on that an e-ID's app has left behind.
    case resume = "/resume"
    case decision = "/decision"
    case token = "/token"
    case userinfo = "/userinfo"
    case stylesheet = "/sandbox.css"

    /// Where an endpoint is too, for a discovery that says so.
    private static let elsewhere = "/elsewhere"

    init?(path: String) {
        self.init(rawValue: path.hasPrefix(Self.elsewhere) ? String(path.dropFirst(Self.elsewhere.count)) : path)
    }

    func url(_ issuer: String) -> String { issuer + self.rawValue }

    /// The other place of an endpoint.
    static func moved(_ url: String) -> String {
        guard let route = Self.allCases.first(where: { url.hasSuffix($0.rawValue) }) else { return url }
        return url.dropLast(route.rawValue.count) + Self.elsewhere + route.rawValue
    }

    /// Whether discovery says where it is.
    var isEndpoint: Bool {
        switch self {
        case .keys, .pushedRequest, .authorize, .token, .userinfo: true
        case .discovery, .resume, .decision, .stylesheet: false
        }
    }

    /// What `Allow` says to others.
    var methods: String {
        switch self {
        case .discovery, .keys, .resume, .stylesheet: "GET, HEAD"
        case .authorize, .userinfo: "GET, POST"
        case .pushedRequest, .decision, .token: "POST"
        }
    }
}
