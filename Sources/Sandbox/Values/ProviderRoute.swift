/// The paths of every provider, whichever broker it plays.
import HTTPWire

enum ProviderRoute: String, CaseIterable, ServedRoute {
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

    var methods: [Method] {
        switch self {
        case .discovery, .keys, .resume, .stylesheet: [.get, .head]
        case .authorize, .userinfo: [.get, .post]
        case .pushedRequest, .decision, .token: [.post]
        }
    }
}
