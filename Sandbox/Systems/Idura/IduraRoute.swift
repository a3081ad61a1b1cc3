import HTTPWire

/// The paths that only Idura has: launch links, headless logins, and the app that both open.
enum IduraRoute: String, CaseIterable, ServedRoute {
    case headless = "/headless/authorize"
    case complete = "/bankid/complete"
    case poll = "/bankid/poll"
    case cancel = "/bankid/cancel"
    /// Plays BankID's app.
    case bankIDApp = "/bankid/"

    var methods: [Method] {
        switch self {
        case .headless: [.post]
        case .complete, .poll, .cancel: [.get]
        case .bankIDApp: [.get, .post]
        }
    }
}
