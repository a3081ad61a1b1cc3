import HTTPServer
import HTTPWire

/// DigiD's app, a third party's, and a resolver like OneWelcome's. It is no OpenID provider, so only its own paths
/// differ.
final class DigiD: SimulatedBroker {
    let system = SandboxSystem.digid
    let faults = SandboxFault.ofDigiD
    private let book = DigiDSessionStore()

    func handle(_ request: Request, _ responder: ResponseHandle, _ core: ProviderCore) -> Bool {
        guard let route = DigiDRoute(rawValue: request.target.path) else { return false }
        if let refusal = route.refusal(of: request) {
            responder.respond(refusal)
            return true
        }
        let resolver = DigiDResolver(core: core, book: self.book)
        switch route {
        case .initiate: resolver.initiation(request).send(on: responder, lateBy: core.lateness)
        case .complete: resolver.completion(request).send(on: responder, lateBy: core.lateness)
        case .app: responder.respond(DigiDApp(core: core, book: self.book).response(to: request))
        case .thirdParty: responder.respond(DigiDApp(core: core, book: self.book).thirdPartyResponse(to: request))
        }
        return true
    }
}

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
