import HTTPServer
import HTTPWire
import StrictJSON

/// Routes the provider's requests to their endpoints.
struct ProviderHandler: RequestHandler {
    let core: ProviderCore

    func handle(_ request: Request, _ responder: ResponseHandle) {
        if self.core.broker.handle(request, responder, self.core) { return }
        guard let route = self.route(request.target.path) else {
            let page = ErrorPage(status: .notFound, code: "not_found", description: "There is nothing here.")
            return responder.respond(page.response)
        }
        if let refusal = route.refusal(of: request) { return responder.respond(refusal) }
        switch route {
        case .discovery:
            self.core.count(.discovery)
            responder.respond(JSONResponse(.ok, self.document).response)
        case .keys: responder.respond(self.keys())
        case .authorize:
            self.core.count(.authorize)
            responder.respond(AuthorizeEndpoint(core: self.core).response(to: request))
        case .resume: responder.respond(AuthorizeEndpoint(core: self.core).resume(request))
        case .decision:
            self.core.count(.decision)
            responder.respond(DecisionEndpoint(core: self.core).response(to: request))
        case .pushedRequest: PushedRequestEndpoint(core: self.core).handle(request, responder)
        case .token: TokenEndpoint(core: self.core).handle(request, responder)
        case .userinfo: UserinfoEndpoint(core: self.core).handle(request, responder)
        case .stylesheet: responder.respond(WebFile.stylesheet.file.response(to: request))
        }
    }

    /// Returns the route of a path. An endpoint is only at the path that discovery names.
    private func route(_ path: String) -> ProviderRoute? {
        guard let route = ProviderRoute(path: path), route.isEndpoint else { return ProviderRoute(rawValue: path) }
        let url = self.core.origin + path
        return self.document.contains { $0.value.string == url } ? route : nil
    }

    private var document: JSON.Object {
        var document = Discovery.document(
            of: self.core.broker, at: self.core.origin, mutualTLS: self.core.mutualTLS)
        for case .discovery(let change) in self.standingFaults { change(&document) }
        return document
    }

    private func keys() -> Response {
        let now = self.core.now()
        let keys = self.core.memory.withLock { memory in
            memory.requestLog.count(.keys)
            return memory.keys.published(at: now)
        }
        var members = keys.keys.map(\.json)
        for case .keys(let change) in self.standingFaults { change(&members) }
        return JSONResponse(.ok, ["keys": .array(members)]).response
    }

    private var standingFaults: [FaultEffect] {
        self.core.memory.withLock { $0.nextFault.values.map(\.effect) }
    }
}
