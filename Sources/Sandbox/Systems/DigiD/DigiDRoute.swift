/// The paths of DigiD's app and of the resolver, as OneWelcome has them.
import HTTPWire

enum DigiDRoute: String, CaseIterable, ServedRoute {
    case initiate = "/oauth/custom-registration/digid/init"
    case complete = "/oauth/custom-registration/digid/complete"
    /// Plays DigiD's app.
    case app = "/digid-app"

    var methods: [Method] {
        switch self {
        case .initiate, .complete: [.post]
        case .app: [.get, .post]
        }
    }
}
