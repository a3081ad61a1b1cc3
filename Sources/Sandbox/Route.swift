/// The paths of the provider.
enum Route: String, CaseIterable, Sendable {
    case discovery = "/.well-known/openid-configuration"
    case keys = "/jwks"
    case authorize = "/authorize"
    case decision = "/decision"
    case token = "/token"
    case userinfo = "/userinfo"
    case stylesheet = "/sandbox.css"

    func url(_ issuer: String) -> String { issuer + self.rawValue }

    /// What `Allow` says to others.
    var methods: String {
        switch self {
        case .discovery, .keys, .stylesheet: "GET, HEAD"
        case .authorize, .userinfo: "GET, POST"
        case .decision, .token: "POST"
        }
    }
}
