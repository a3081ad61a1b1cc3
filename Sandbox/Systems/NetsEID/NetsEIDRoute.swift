import HTTPWire

/// The paths that only Nets eID Broker has: CIBA with a browser.
enum NetsEIDRoute: String, CaseIterable, ServedRoute {
    case backchannel = "/connect/ciba"
    case startBrowser = "/api/ciba/broker-oidc/init-auth"
    case authenticate = "/ciba/authenticate"
    /// An `auth_req_id` follows.
    case delete = "/api/v1/ciba/"

    init?(path: String) {
        guard let route = Self(rawValue: path) ?? (path.hasPrefix(Self.delete.rawValue) ? .delete : nil) else {
            return nil
        }
        self = route
    }

    var methods: [Method] {
        switch self {
        case .backchannel, .startBrowser: [.post]
        case .authenticate: [.get, .post]
        case .delete: [.delete]
        }
    }
}
