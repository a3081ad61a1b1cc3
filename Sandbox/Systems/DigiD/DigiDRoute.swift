import HTTPWire

/// The paths of DigiD's app, and of a resolver like OneWelcome's.
enum DigiDRoute: String, CaseIterable, ServedRoute {
    case initiate = "/oauth/custom-registration/digid/init"
    case complete = "/oauth/custom-registration/digid/complete"
    /// Plays DigiD's app.
    case app = "/digid-app"
    /// Plays the app of a third party, with a link of its own form.
    case thirdParty = "/partner-app"

    var methods: [Method] {
        switch self {
        case .initiate, .complete: [.post]
        case .app: [.get, .post]
        case .thirdParty: [.get]
        }
    }
}
