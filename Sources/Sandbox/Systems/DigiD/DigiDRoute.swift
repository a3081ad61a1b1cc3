/// The paths of DigiD's app and of the resolver, as OneWelcome has them.
enum DigiDRoute: String, CaseIterable, Sendable {
    case initiate = "/oauth/custom-registration/digid/init"
    case complete = "/oauth/custom-registration/digid/complete"
    /// Plays DigiD's app.
    case app = "/digid-app"

    /// Nil for a path that the system does not have.
    init?(path: String, of system: SandboxSystem) {
        guard system == .digid else { return nil }
        self.init(rawValue: path)
    }

    func url(_ origin: String) -> String { origin + self.rawValue }

    /// What `Allow` says to others.
    var methods: String {
        switch self {
        case .initiate, .complete: "POST"
        case .app: "GET, POST"
        }
    }
}
