/// Who answers what at the provider.
import HTTPServer
import HTTPWire
import JOSE

struct ProviderHandler: RequestHandler {
    let core: ProviderCore

    func handle(_ request: Request, _ exchange: Exchange) {
        guard let route = Route(rawValue: request.target.path) else {
            let page = ErrorPage(status: .notFound, code: "not_found", description: "There is nothing here.")
            return exchange.respond(page.response)
        }
        guard route.methods.split(separator: ", ").contains(request.method.rawValue[...]) else {
            return exchange.respond(Response(.methodNotAllowed, fields: [.allow: route.methods], body: []))
        }
        switch route {
        case .discovery: exchange.respond(self.discovery())
        case .keys: exchange.respond(self.keys())
        case .authorize:
            self.core.count(.authorize)
            exchange.respond(AuthorizeEndpoint(core: self.core).response(to: request))
        case .decision:
            self.core.count(.decision)
            exchange.respond(DecisionEndpoint(core: self.core).response(to: request))
        case .token: TokenEndpoint(core: self.core).handle(request, exchange)
        case .userinfo: UserinfoEndpoint(core: self.core).handle(request, exchange)
        case .stylesheet: exchange.respond(Stylesheet.file.response(to: request))
        }
    }

    private func discovery() -> Response {
        let (issuer, faults) = self.core.memory.withLock { memory in
            memory.ledger.count(.discovery)
            return (memory.issuer, memory.nextFault.values.map(\.meaning.effect))
        }
        var document = Discovery.document(issuer: issuer)
        for case .discovery(let change) in faults { change(&document) }
        return JSONAnswer(.ok, document).response
    }

    private func keys() -> Response {
        let now = self.core.now()
        let keys = self.core.memory.withLock { memory in
            memory.ledger.count(.keys)
            return memory.keys.published(at: now)
        }
        guard let members = keys.json.object else { return JSONAnswer.internalServerError.response }
        return JSONAnswer(.ok, members).response
    }
}
