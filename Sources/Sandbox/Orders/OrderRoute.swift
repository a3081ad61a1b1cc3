/// The paths of brokers whose logins are decided elsewhere than in the browser that began them.
enum OrderRoute: String, CaseIterable, Sendable {
    // Idura, launch links and headless.
    case headless = "/headless/authorize"
    case complete = "/bankid/complete"
    case poll = "/bankid/poll"
    case cancel = "/bankid/cancel"
    /// Plays BankID's app.
    case bankIDApp = "/bankid/"
    // Nets eID Broker, CIBA with a browser.
    case backchannel = "/connect/ciba"
    case startBrowser = "/api/ciba/broker-oidc/init-auth"
    case authenticate = "/ciba/authenticate"
    /// What comes after it is an `auth_req_id`.
    case delete = "/api/v1/ciba/"

    /// Nil for a path that the system does not have.
    init?(path: String, of system: SandboxSystem) {
        let route = Self(rawValue: path) ?? (path.hasPrefix(Self.delete.rawValue) ? .delete : nil)
        guard let route, route.system == system else { return nil }
        self = route
    }

    func url(_ origin: String) -> String { origin + self.rawValue }

    private var system: SandboxSystem {
        switch self {
        case .headless, .complete, .poll, .cancel, .bankIDApp: .idura
        case .backchannel, .startBrowser, .authenticate, .delete: .signaturgruppen
        }
    }

    /// What `Allow` says to others.
    var methods: String {
        switch self {
        case .headless, .backchannel, .startBrowser: "POST"
        case .complete, .poll, .cancel: "GET"
        case .bankIDApp, .authenticate: "GET, POST"
        case .delete: "DELETE"
        }
    }
}
