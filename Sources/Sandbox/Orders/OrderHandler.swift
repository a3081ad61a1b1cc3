/// Who answers what where a login is decided elsewhere.
import HTTPServer
import HTTPWire

struct OrderHandler: Sendable {
    let core: ProviderCore

    func handle(_ route: OrderRoute, _ request: Request, _ exchange: Exchange) {
        guard route.methods.split(separator: ", ").contains(request.method.rawValue[...]) else {
            return exchange.respond(Response(.methodNotAllowed, fields: [.allow: route.methods], body: []))
        }
        exchange.respond(self.response(route, request))
    }

    private func response(_ route: OrderRoute, _ request: Request) -> Response {
        switch route {
        case .headless: HeadlessEndpoint(core: self.core).response(to: request)
        case .complete: LaunchedOrder(core: self.core).completion(request)
        case .poll: LaunchedOrder(core: self.core).poll(request)
        case .cancel: LaunchedOrder(core: self.core).cancellation(request)
        case .bankIDApp: BankIDApp(core: self.core).response(to: request)
        case .backchannel: BackchannelEndpoint(core: self.core).response(to: request)
        case .startBrowser: BackchannelBrowser(core: self.core).start(request)
        case .authenticate: BackchannelBrowser(core: self.core).response(to: request)
        case .delete: BackchannelEndpoint(core: self.core).deletion(request)
        }
    }
}
