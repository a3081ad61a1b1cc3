/// Who answers what where DigiD is played.
import HTTPServer
import HTTPWire

struct DigiDHandler: Sendable {
    let core: ProviderCore

    func handle(_ route: DigiDRoute, _ request: Request, _ exchange: Exchange) {
        guard route.methods.split(separator: ", ").contains(request.method.rawValue[...]) else {
            return exchange.respond(Response(.methodNotAllowed, fields: [.allow: route.methods], body: []))
        }
        let resolver = DigiDResolver(core: self.core)
        switch route {
        case .initiate: resolver.initiation(request).send(on: exchange, lateBy: self.core.lateness)
        case .complete: resolver.completion(request).send(on: exchange, lateBy: self.core.lateness)
        case .app: exchange.respond(DigiDApp(core: self.core).response(to: request))
        }
    }
}
